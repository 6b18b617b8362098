"""Who asks: the worker or the requester whose session cookie came with the request.

Only the cookie counts. The session is looked up in the store by the hash of its token; signing in makes
a new session, so that a token planted before is worth nothing after.
"""

from __future__ import annotations
