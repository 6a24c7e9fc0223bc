"""Who may read each page, and which titles of other pages it may show."""
