"""The platform's REST API, with sign-in and sign-out."""

import json as _json
import time
from functools import partial
from http.client import HTTPException, HTTPResponse
from threading import RLock
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

from .request import UNSET, FieldViolation, PlatformError, form_of, json_of, path_of
from .services import PORTS, Services

__all__ = ["UNSET", "FieldViolation", "PlatformClient", "PlatformError", "Tokens"]

#: Pause before the first repetition of a call without an answer, in seconds. Each further pause is twice as long.
FIRST_PAUSE = 0.25


class Tokens(NamedTuple):
    """The tokens of a sign-in."""

    access_token: str
    refresh_token: str


class PlatformClient(Services):
    """
    A client of the platform's REST API, which threads may share. Every operation raises PlatformError on a refusal, and
    OSError or HTTPException when no answer arrives. Calls without an answer are retried after short pauses, refused
    ones (429, 503) after their Retry-After, where that is safe: reads, replacements, deletions, and creations with an
    Idempotency-Key.

    host: host of the documented ports.
    addresses: addresses of single services, instead of the host with the documented port.
    tokens: tokens of an earlier sign-in.
    on_tokens: called with each new pair, to store it, and with None when the sign-in has ended.
    api_key, api_secret: an ecosystem credential, or a service's key, instead of a sign-in.
    on_response: called with each success, for headers such as ETag.
    timeout: longest wait for the network, in seconds.
    longest_wait: longest Retry-After to wait for, in seconds; a longer one raises the error.
    tries: maximum tries of one call, the first included.
    """

    def __init__(
        self,
        host: str = "http://127.0.0.1",
        *,
        addresses: Optional[Mapping[str, str]] = None,
        tokens: Optional[Tokens] = None,
        on_tokens: Callable[[Optional[Tokens]], Any] = lambda tokens: None,
        api_key: str = "",
        api_secret: str = "",
        on_response: Callable[[HTTPResponse], Any] = lambda response: None,
        timeout: float = 60,
        longest_wait: float = 30,
        tries: int = 4,
    ) -> None:
        super().__init__(lambda service: partial(self._call, service))
        self._origins = {name: f"{host.rstrip('/')}:{port}" for name, port in PORTS.items()}
        self._origins.update({name: address.rstrip("/") for name, address in (addresses or {}).items()})
        keys = {"X-API-Key": api_key, "X-API-Secret": api_secret}
        self._keys = {name: value for name, value in keys.items() if value}
        self.tokens, self._on_tokens, self._on_response = tokens, on_tokens, on_response
        self._timeout, self._longest_wait, self._tries = timeout, longest_wait, tries
        self._refreshing = RLock()

    def sign_in(self, email: str, password: str) -> None:
        """Signs in and keeps the tokens. Expired ones are refreshed once for all waiting threads."""
        answer = self.auth.login(email=email, password=password)
        self.keep_tokens(Tokens(answer["accessToken"], answer["refreshToken"]))

    def keep_tokens(self, tokens: Optional[Tokens]) -> None:
        """Uses tokens obtained elsewhere, such as by accepting an invitation; None drops them."""
        self.tokens = tokens
        self._on_tokens(tokens)

    def sign_out(self) -> None:
        """Ends the session. The tokens are dropped even when the platform is unreachable."""
        try:
            if self.tokens:
                self.auth.logout(refreshToken=self.tokens.refresh_token)
        finally:
            self.keep_tokens(None)

    def _call(
        self,
        service: str,
        verb: str,
        path: str,
        *,
        names: Mapping[str, str] = {},
        query: Mapping[str, Any] = {},
        json: Optional[Mapping[str, Any]] = None,
        form: Optional[Mapping[str, Any]] = None,
        if_match: str = UNSET,
        key: Optional[str] = None,
        is_open: bool = False,
        is_file: bool = False,
    ) -> Any:
        """
        key: the Idempotency-Key; an empty one stands for a new one.
        is_open: whether the operation is public: a 401 then concerns the input, such as a password.
        is_file: returns the response, to read and close.
        """
        url = self._origins[service] + path_of(path, names, query)
        headers: Dict[str, str] = {} if if_match is UNSET else {"If-Match": if_match}
        if key is not None:
            headers["Idempotency-Key"] = key or str(uuid4())
        data = None
        if json is not None or form is not None:
            data, headers["Content-Type"] = form_of(form) if form is not None else json_of(json or {})
        is_safe = verb not in ("POST", "PATCH") or key is not None
        is_refreshed = False
        tries_left = self._tries - 1
        pause = FIRST_PAUSE
        while True:
            token = None if is_open or not self.tokens else self.tokens.access_token
            request = Request(url, data, headers, method=verb)
            # Another server, to which an answer redirects, doesn't get them.
            for name, value in {**self._keys, **({"Authorization": f"Bearer {token}"} if token else {})}.items():
                request.add_unredirected_header(name, value)
            try:
                response = urlopen(request, timeout=self._timeout)
                text = b"" if is_file else _read(response)
            except HTTPError as error:
                refusal = PlatformError(error)
            except (OSError, HTTPException):
                if tries_left <= 0 or not is_safe:
                    raise
                tries_left -= 1
                time.sleep(pause)
                pause *= 2
                continue
            else:
                self._on_response(response)
                if is_file:
                    return response
                return _json.loads(text) if text else None
            if refusal.status == 401 and token and not is_refreshed and self._refresh(token):
                is_refreshed = True
                continue
            wait = refusal.retry_after
            if tries_left <= 0 or not is_safe or wait is None or wait > self._longest_wait:
                raise refusal
            tries_left -= 1
            time.sleep(wait)

    def _refresh(self, refused: str) -> bool:
        """Whether there are newer tokens than the refused one, exchanging them if needed. A refresh token works once."""
        with self._refreshing:
            spent = self.tokens
            if spent is None or spent.access_token != refused:
                return spent is not None
            try:
                answer = self.auth.refresh_token(refreshToken=spent.refresh_token)
                fresh: Optional[Tokens] = Tokens(answer["accessToken"], answer["refreshToken"])
            except PlatformError as error:
                if error.status != 401:
                    raise
                fresh = None
            # A sign-out or new sign-in during the exchange takes precedence.
            if self.tokens is spent:
                self.keep_tokens(fresh)
            return self.tokens is not None


def _read(response: HTTPResponse) -> bytes:
    """The body of a success, read to its end, before which the connection may break too."""
    with response:
        return response.read()
