import base64
import hashlib
import hmac
import json
import re
import time


def verify_webhook(secret, headers, body, now=None):
    """Returns the event, or None if the signature is wrong or older than five minutes: then answer 400.

    `headers` is a mapping, `body` the raw body as bytes.
    """
    given = {name.lower(): value for name, value in headers.items()}
    webhook_id = given.get("webhook-id", "")
    timestamp = given.get("webhook-timestamp", "")
    now = time.time() if now is None else now
    if not webhook_id or not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > 300:
        return None
    key = base64.b64decode(secret.removeprefix("whsec_"))
    mac = hmac.new(key, f"{webhook_id}.{timestamp}.".encode() + body, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(mac)
    signatures = given.get("webhook-signature", "").encode().split(b" ")
    signed = any([hmac.compare_digest(signature, expected) for signature in signatures])
    return json.loads(body) if signed else None


def verify_service_signature(secret, headers, body):
    """The same with only the older header, which does not sign the time."""
    given = {name.lower(): value for name, value in headers.items()}
    expected = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest().encode()
    signed = hmac.compare_digest(given.get("x-service-signature", "").encode(), expected)
    return json.loads(body) if signed else None
