"""Attachments as text: looked at before they are opened, converted in a child, waiting in a queue.

    refusal      why no text is taken from a file
    kinds        what a file is, by its content and not by its name
    archive      a look at Word, Excel and PowerPoint: sizes, parts, XML, how far cells reach
    pdf          a look at PDF: encryption, pages
    convert      the file as markup for the parser
    child        the process in which all that happens, within limits
    converter    our side of that process
    outcomes     in SQL: which files wait, what became of the others, by the hash of their content
    reading      works through those that wait, within the budget of a sync

Whatever somebody uploaded is opened in the child alone; here a file is bytes and a hash.
"""
