"""Verifies the messages of webhooks (Standard Webhooks)."""

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Mapping, Optional, Union

from .errors import KitsealError

#: How many seconds the clock of the sender may differ.
TOLERANCE = 300


class WebhookError(KitsealError):
    """The message is not from the service, or not from now. Answer with 400 and ignore it."""


def verify_webhook(
    body: Union[bytes, str], headers: Mapping[str, str], secret: str, *, now: Optional[float] = None
) -> Dict[str, Any]:
    """Verifies the signature and the time of a message, and returns its event.

    `body` is the body as it arrived, before it is parsed. `headers` are those of the request, in any case. `secret` is that
    of the webhook, `whsec_…`. Raises WebhookError if the message is not from the service.

    >>> headers = {"webhook-id": "1", "webhook-timestamp": "1767225600", "webhook-signature": "v1,forged"}
    >>> verify_webhook(b"{}", headers, "whsec_a2l0c2VhbCBleGFtcGxlIG9ubHkh", now=1767225600)
    Traceback (most recent call last):
    kitseal.webhooks.WebhookError: the signature is wrong: check the secret, and pass the body as it arrived
    """
    data = body.encode("utf-8") if isinstance(body, str) else bytes(body)
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, sent, signatures = (given["webhook-" + name] for name in ("id", "timestamp", "signature"))
    except KeyError as error:
        raise WebhookError("the header %s is missing" % error) from None
    if not re.fullmatch("[0-9]{1,12}", sent) or abs(int(sent) - (time.time() if now is None else now)) > TOLERANCE:
        raise WebhookError("the message is not from now: check the clock")
    signed = b"%s.%s.%s" % (message_id.encode("utf-8"), sent.encode("ascii"), data)
    expected = base64.b64encode(hmac.new(_key(secret), signed, hashlib.sha256).digest())
    versions = (one.partition(",") for one in signatures.split(" "))
    if not any(version == "v1" and hmac.compare_digest(value.encode("utf-8"), expected) for version, _, value in versions):
        raise WebhookError("the signature is wrong: check the secret, and pass the body as it arrived")
    try:
        event = json.loads(data.decode("utf-8"))
    except ValueError:
        raise WebhookError("the body is not JSON") from None
    if not isinstance(event, dict):
        raise WebhookError("the body is not an event")
    return event


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else "", validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) < 16:
        raise ValueError("the secret is not one of a webhook: expected whsec_ and base64")
    return key
