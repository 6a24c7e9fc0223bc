"""Methods of attribution: by experiment, and the paper's."""
