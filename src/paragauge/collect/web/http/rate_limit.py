"""Token buckets: how often one session and one address may ask.

A bucket holds at most `burst` tokens and gains `rate` tokens a second; a request takes one, and is
refused while there is less than one. A request is counted for the address it comes from, for its
session cookie, and for the worker or account behind it, who may have many addresses and sessions.
Signing in has its own bucket, so that keys and passwords cannot be guessed fast; so has joining, large
enough for a class behind one address.

Buckets live in memory: several server processes have one set each. The clock is injected; the number of
buckets is bounded, and the least recently used are forgotten first (a forgotten bucket is a full one).
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from ipaddress import IPv6Address, IPv6Network
from threading import Lock

from paragauge.errors import SettingError


@dataclass(frozen=True)
class Rate:
    """`rate` requests a second in the long run, `burst` at once.

    >>> Rate(0.5, 10)
    Rate(rate=0.5, burst=10)
    """

    rate: float
    burst: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.rate) and self.rate > 0 and math.isfinite(self.burst)):
            raise SettingError(f"expected a positive rate, found {self.rate}")
        if self.burst < 1:
            raise SettingError(f"expected a burst of at least 1, found {self.burst}")


class Buckets:
    """One bucket per key.

    >>> now = [0.0]
    >>> buckets = Buckets(Rate(1, 2), clock=lambda: now[0])
    >>> [buckets.wait("a") for _ in range(3)]
    [0.0, 0.0, 1.0]
    >>> buckets.wait("b")
    0.0
    >>> now[0] = 1.5
    >>> buckets.wait("a"), buckets.wait("a")
    (0.0, 0.5)
    """

    def __init__(
        self, rate: Rate, *, clock: Callable[[], float] = time.monotonic, most: int = 100_000
    ) -> None:
        self.rate = rate
        self.clock = clock
        self.most = most
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._held)

    def wait(self, key: str, cost: float = 1.0) -> float:
        """Take `cost` tokens: 0.0 if they were there, else the seconds until they will be."""
        with self._lock:
            now = self.clock()
            tokens, then = self._held.pop(key, (self.rate.burst, now))
            tokens = min(self.rate.burst, tokens + max(0.0, now - then) * self.rate.rate)
            enough = tokens >= cost
            self._held[key] = (tokens - cost if enough else tokens, now)
            while len(self._held) > self.most:
                self._held.popitem(last=False)
            return 0.0 if enough else (cost - tokens) / self.rate.rate


@dataclass(frozen=True)
class Limits:
    """How often somebody may ask; `off()` for load tests and trusted networks."""

    session: Rate = field(default_factory=lambda: Rate(5, 60))
    address: Rate = field(default_factory=lambda: Rate(50, 1000))
    account: Rate = field(default_factory=lambda: Rate(20, 400))
    signing_in: Rate = field(default_factory=lambda: Rate(0.2, 20))
    joining: Rate = field(default_factory=lambda: Rate(0.5, 200))
    clock: Callable[[], float] = time.monotonic

    @classmethod
    def off(cls) -> Limits:
        """Limits nobody reaches."""
        free = Rate(1e9, 1e9)
        return cls(session=free, address=free, account=free, signing_in=free, joining=free)


def visitor_network(address: str) -> str:
    """The network of a visitor: with IPv6, one visitor has all addresses with the same first 64 bits.

    >>> addresses = ("2001:db8::1", "2001:db8::ffff", "::ffff:192.0.2.1", "x")
    >>> [visitor_network(address) for address in addresses]
    ['2001:db8::/64', '2001:db8::/64', '192.0.2.1', 'x']
    """
    if ":" not in address:
        return address
    try:
        parsed = IPv6Address(address)
    except ValueError:
        return address
    return str(parsed.ipv4_mapped or IPv6Network((int(parsed) >> 64 << 64, 64)))


class Gate:
    """The buckets of one application.

    >>> gate = Gate(Limits(session=Rate(1, 1), clock=lambda: 0.0))
    >>> gate.wait("192.0.2.1", "token"), gate.wait("192.0.2.1", "token"), gate.wait("192.0.2.1", None)
    (0.0, 1.0, 0.0)
    """

    def __init__(self, limits: Limits) -> None:
        self._session = Buckets(limits.session, clock=limits.clock)
        self._address = Buckets(limits.address, clock=limits.clock)
        self._account = Buckets(limits.account, clock=limits.clock)
        self._signing_in = Buckets(limits.signing_in, clock=limits.clock)
        self._joining = Buckets(limits.joining, clock=limits.clock)

    def wait(self, address: str, session: str | None) -> float:
        """Seconds to wait before this request is answered; 0.0 if it may be now."""
        waits = [self._address.wait(visitor_network(address))]
        if session is not None:
            waits.append(self._session.wait(session))
        return max(waits)

    def account(self, name: str) -> float:
        """The same for a worker, account or token, from whatever addresses and sessions."""
        return self._account.wait(name)

    def sign_in(self, address: str) -> float:
        """The same for an attempt to sign in."""
        return self._signing_in.wait(visitor_network(address))

    def join(self, address: str) -> float:
        """The same for somebody new."""
        return self._joining.wait(visitor_network(address))
