"""Confluence, Cloud and Data Center: the library carries and signs requests, we read the replies.

    detect       which of the two it is
    viewers      the same with other people's tokens, for what somebody waits for
    cloud        developer.atlassian.com/cloud/confluence/rest/v2, and v1 for restrictions, groups
                 and permission checks
    datacenter   developer.atlassian.com/server/confluence/rest
    …_access     who may read what, right now; cloud_bulk, cloud_tree: in few requests
    …_items      the JSON of each as our types
    allowance    so many requests at most, several at once, within a time
    transport    sessions, listings read to their end
    files/       downloads: where redirects may lead, how much is read, and for how long
    pace         throttles all requests together, and the retry policy
    reply        what came back, or an error that says what came instead

atlassian-python-api's high-level methods are not used: they drop the context path on the second
page of a listing, stop early when the server caps a page, and read a login page as an empty list.
Here a listing is complete or it is an error.
"""

from core.confluence.detect import connect
from core.confluence.pace import RETRY
from core.confluence.viewers import connect_live, viewer_of, witness

__all__ = ["RETRY", "connect", "connect_live", "viewer_of", "witness"]
