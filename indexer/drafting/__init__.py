"""Drafts the entities file from pages about the organization, for a person to edit.

Only what everybody may read is looked at: the file has no ACL of its own.

    sources        which pages are about the organization, and their evidence
    tables, lists  what a row or a list says: team, department, lead, member
    found          the units found so far, deduplicated
"""

from indexer.drafting.draft import EntitiesDraft, draft

__all__ = ["EntitiesDraft", "draft"]
