"""Verifies a webhook of Gatehouse, as the Standard Webhooks specification says."""

import base64
import hashlib
import hmac
import json
import time

TOLERANCE = 300


def read_event(body, headers, secrets):
    """Returns the event, or None if the request is not signed with one of the secrets, or is too old."""
    event_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "").split(" ")
    if not event_id or not (timestamp.isascii() and timestamp.isdigit()):
        return None
    signed = f"{event_id}.{timestamp}.".encode() + body
    for secret in secrets:
        if not secret.startswith("whsec_"):
            raise ValueError("The secret has the wrong format.")
        key = base64.b64decode(secret.removeprefix("whsec_"))
        expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        if any(hmac.compare_digest(expected.encode(), one.encode()) for one in signatures):
            is_recent = abs(time.time() - int(timestamp)) <= TOLERANCE
            return json.loads(body) if is_recent else None
    return None
