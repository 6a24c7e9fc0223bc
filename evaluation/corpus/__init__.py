"""A synthetic benchmark of our own: the wiki of a fictional mountain railway, hard to search.

Everything is made from a seed: `families/*.yaml` hold page templates with slots for facts and,
beside them, questions about those facts, so a question's page is known by construction. Questions
are worded as people ask and are not cut out of sentences. Left out: images and attachments.
"""
