"""A second benchmark, of our own: the wiki of a fictional mountain railway with all that makes real wikis hard to search.

Everything is made by a seed: `families/*.yaml` hold page templates with slots for facts and, beside them, questions about those
facts, so a question's page is known by construction. The wording of questions and pages is apart: questions are written as
people ask, not cut out of sentences. Left out: images and attachments.
"""
