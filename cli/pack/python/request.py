"""Requests of the platform's REST API, and the error of a refused one."""

import json
import os
import re
import time
from email.utils import parsedate_to_datetime
from typing import Any, BinaryIO, Dict, List, Mapping, Optional, Tuple, TypedDict
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from uuid import uuid4

#: The value of an argument that isn't given. None is null, which clears a field.
UNSET: Any = ...


class FieldViolation(TypedDict):
    """One invalid field of a request."""

    path: str
    message: str
    rule: str


class PlatformError(Exception):
    """
    A refusal or failure of the platform.

    kind: class of the error, such as NotFoundError; ValidationError for invalid fields; the legacy version's MSG code.
    violations: invalid fields; empty unless the request was invalid.
    request_id: the request id in the platform's log.
    retry_after: seconds until a retry makes sense.
    """

    status: int
    kind: str
    violations: List[FieldViolation]
    request_id: Optional[str]
    retry_after: Optional[float]

    def __init__(self, response: HTTPError) -> None:
        with response:
            text = response.read()
        try:
            body: Dict[str, Any] = dict(json.loads(text))
        except (TypeError, ValueError):
            body = {}  # Not the platform's answer, but a proxy's.
        error, message = body.get("error"), body.get("message") or body.get("msg") or response.reason
        self.violations = error if isinstance(error, list) else []
        super().__init__("; ".join(f"{one['path']}: {one['message']}" for one in self.violations) or message)
        self.status = response.code
        self.kind = "ValidationError" if self.violations else str(error or body.get("msg") or "Error")
        self.request_id = response.headers.get("X-Request-Id")
        self.retry_after = _seconds(response.headers.get("Retry-After", ""))


def _seconds(value: str) -> Optional[float]:
    """A Retry-After in seconds, from seconds or a date."""
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def path_of(path: str, names: Mapping[str, str], query: Mapping[str, Any]) -> str:
    """The path with its parameters and the query. Raises ValueError for an empty parameter."""

    def segment(match: "re.Match[str]") -> str:
        value = names[match[1]]
        if not value:
            raise ValueError(f"{match[1]} is missing")
        return quote(_text(value), safe="")

    pairs = [
        (name, _text(one))
        for name, value in _given(query).items()
        for one in (value if isinstance(value, (list, tuple)) else [value])
        if one is not None
    ]
    return re.sub(r"{(\w+)}", segment, path) + ("?" + urlencode(pairs) if pairs else "")


def json_of(fields: Mapping[str, Any]) -> Tuple[bytes, str]:
    """A body with its type."""
    return json.dumps(_given(fields)).encode(), "application/json"


def form_of(fields: Mapping[str, Any]) -> Tuple[bytes, str]:
    """A form with its type: fields before files, which the platform can then store as they arrive."""
    boundary = uuid4().hex
    parts: List[bytes] = []
    for name, value in sorted(_given(fields).items(), key=lambda pair: hasattr(pair[1], "read")):
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"'
        if hasattr(value, "read"):
            head += f'; filename="{_file_name(value)}"\r\nContent-Type: application/octet-stream'
            value = value.read()
        else:
            value = _text(value).encode()
        parts.append(head.encode() + b"\r\n\r\n" + value + b"\r\n")
    return b"".join([*parts, f"--{boundary}--\r\n".encode()]), f"multipart/form-data; boundary={boundary}"


def _file_name(file: BinaryIO) -> str:
    name = os.path.basename(str(getattr(file, "name", "file")))
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not UNSET}


def _text(value: Any) -> str:
    """Parameters are texts, numbers and booleans."""
    return value if isinstance(value, str) else json.dumps(value)
