"""The connection to Mechanical Turk's requester API, through boto3.

The sandbox is the default; production must be requested. Credentials come from where AWS's own tools
look (environment, shared files, roles) and nowhere else; they are not options, and no message shows
them. Every error is one line that names the operation. boto3 retries failed calls; calls that cost
money carry a token, so that a retry cannot pay twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from paragauge.errors import MissingExtraError, ParagaugeError, SettingError

REGION = "us-east-1"  # the only one that the service has
ENDPOINTS = {
    "sandbox": "https://mturk-requester-sandbox.us-east-1.amazonaws.com",
    "production": "https://mturk-requester.us-east-1.amazonaws.com",
}
# Where workers see HITs; the pages that may show our questions in a frame.
WORKER_SITES = {
    "sandbox": "https://workersandbox.mturk.com",
    "production": "https://worker.mturk.com",
}
CREDENTIALS = (
    "no AWS credentials found; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run: aws configure"
)


class MturkError(ParagaugeError):
    """Mechanical Turk refused a request, or could not be reached."""

    def __init__(self, message: str, detail: str = "") -> None:
        super().__init__(message)
        self.detail = detail


@dataclass(frozen=True)
class Mturk:
    """A connection; `environment` is sandbox or production."""

    client: Any
    environment: str

    def call(self, operation: str, **parameters: Any) -> dict[str, Any]:
        """Call an operation by its name in boto3, such as `create_hit_type`."""
        from botocore import exceptions

        try:
            answer: dict[str, Any] = getattr(self.client, operation)(**parameters)
        except exceptions.NoCredentialsError:
            raise MturkError(CREDENTIALS) from None
        except exceptions.ClientError as error:
            refusal = error.response.get("Error", {})
            reason = _line(refusal.get("Message") or refusal.get("Code") or "no reason given")
            if refusal.get("Code") in _KEYS:
                reason = f"the AWS credentials were refused ({refusal['Code']})"
            message = f"Mechanical Turk ({self.environment}) refused {operation}: {reason}"
            raise MturkError(message, f"{refusal.get('Code', '')} {reason}") from None
        except exceptions.BotoCoreError as error:
            reason = _line(str(error))
            message = f"Mechanical Turk ({self.environment}): {operation} failed: {reason}"
            raise MturkError(f"{message}; run the command again, nothing is done twice") from None
        return answer

    def pages(self, operation: str, name: str, **parameters: Any) -> Iterator[dict[str, Any]]:
        """The rows of an operation that answers page by page, which are under `name`."""
        token: dict[str, str] = {}
        while True:
            answer = self.call(operation, **parameters, **token, MaxResults=100)
            yield from answer.get(name, [])
            if not answer.get("NextToken"):
                return
            token = {"NextToken": answer["NextToken"]}

    def balance_cents(self) -> int:
        """What the account has left; the sandbox always says 10,000 dollars."""
        return parse_dollars(self.call("get_account_balance")["AvailableBalance"])


_KEYS = {
    "UnrecognizedClientException",
    "InvalidSignatureException",
    "SignatureDoesNotMatch",
    "InvalidClientTokenId",
    "IncompleteSignature",
    "ExpiredTokenException",
}


def connect(*, production: bool = False, endpoint: str | None = None) -> Mturk:
    """A connection to the sandbox, or to production if requested.

    `endpoint` is the URL of a stand-in for trials, which cannot be production.

    >>> connect(production=True, endpoint="http://127.0.0.1:1")
    Traceback (most recent call last):
    paragauge.errors.SettingError: a stand-in cannot be production; leave one of the two out
    """
    if production and endpoint is not None:
        raise SettingError("a stand-in cannot be production; leave one of the two out")
    try:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError
    except ImportError:
        raise MissingExtraError("boto3, which connects to Mechanical Turk,", "mturk") from None
    environment = "production" if production else "sandbox"
    repeat = Config(
        region_name=REGION,
        retries={"mode": "standard", "total_max_attempts": 5},
        connect_timeout=10,
        read_timeout=60,
        user_agent_extra="paragauge",
    )
    try:
        client = boto3.session.Session().client(
            "mturk", config=repeat, endpoint_url=endpoint or ENDPOINTS[environment]
        )
    except (BotoCoreError, ValueError) as error:
        raise MturkError(f"AWS is not set up: {_line(str(error))}") from None
    return Mturk(client, environment)


def parse_dollars(dollars: str) -> int:
    """Parse an amount of the API, dollars as text, into cents.

    >>> parse_dollars("10000.00"), parse_dollars("0.05"), parse_dollars("1.5")
    (1000000, 5, 150)
    """
    whole, _, part = dollars.partition(".")
    return int(whole) * 100 + int((part + "00")[:2])


def format_dollars(amount: int) -> str:
    """Cents in the format of the API.

    >>> format_dollars(5), format_dollars(1234)
    ('0.05', '12.34')
    """
    return f"{amount // 100}.{amount % 100:02d}"


def _line(text: str) -> str:
    """One line, without what looks like a key of AWS."""
    return re.sub(r"\b(AKIA|ASIA)[A-Z0-9]{8,}\b", "(key)", " ".join(text.split()))
