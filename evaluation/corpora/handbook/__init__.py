"""The wiki of a fictional maker of software, in English, with copies and versions of everything.

`wiki/*.md` holds the pages, `talks/*.yaml` the conversations about them, `site.yaml` the spaces.
A page's facts are dealt from pools by the seed; versions and sister pages get different ones, so
what is right on one page is wrong on the next. Left out: images, attachments, restrictions.
"""
