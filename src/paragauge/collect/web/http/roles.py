"""The role that a request needs: reading is for viewers, deciding for reviewers, the rest for owners.

Whatever is not listed needs an owner, so that a new page is closed until somebody decides otherwise.
"""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.requests import Request

from paragauge.collect.people.accounts import Account
from paragauge.collect.web.http.security import SAFE_METHODS

# Patterns of paths that reviewers may post to, those of the API without its prefix: decisions about
# answers, workers and suggestions.
FOR_REVIEWERS = frozenset(
    {
        "/desk/c/{slug}/answers",
        "/desk/c/{slug}/suggestions",
        "/desk/c/{slug}/tasks/release",
        "/desk/c/{slug}/workers/{public_id}",
        "/submissions/{public_id}/reviews",
        "/campaigns/{slug}/workers/{public_id}/decisions",
    }
)


def needed_role(method: str, pattern: str) -> str:
    """The role that a request needs.

    >>> needed_role("GET", "/desk/c/{slug}"), needed_role("POST", "/desk/c/{slug}/answers")
    ('viewer', 'reviewer')
    >>> needed_role("POST", "/desk/c/{slug}/payments")
    'owner'
    """
    if method in SAFE_METHODS:
        return "viewer"
    return "reviewer" if pattern.removeprefix("/api/v1") in FOR_REVIEWERS else "owner"


def check_role(request: Request, account: Account) -> None:
    """Refuse what the role of the account does not allow."""
    role = needed_role(request.method, getattr(request.scope.get("route"), "path", ""))
    if not account.may(role):
        raise HTTPException(
            403, f"This needs the role {role}; yours is {account.role}. Ask an owner of this site."
        )
