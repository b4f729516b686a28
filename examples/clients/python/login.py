"""Verifies a phone number with only Python 3.9 or later:  python3 login.py +919876543210"""
import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request
import uuid

URL = os.environ.get("CS_URL", "http://localhost:8080")
CLIENT_ID = os.environ["CS_CLIENT_ID"]
CLIENT_SECRET = os.environ["CS_CLIENT_SECRET"]


class CountersignError(Exception):
    def __init__(self, status, answer):
        super().__init__(f"{answer['errorCode']}: {answer['message']}")
        self.status, self.code = status, answer["errorCode"]


def call(path, body=None):
    """Calls the HTTP interface, with a POST if there is a body."""
    headers = {"X-Client-Id": CLIENT_ID, "X-Client-Secret": CLIENT_SECRET, "Content-Type": "application/json"}
    if body is not None:
        headers["Idempotency-Key"] = str(uuid.uuid4())
    data = None if body is None else json.dumps(body).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers), timeout=30) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise CountersignError(error.code, json.load(error)) from None


def main(phone):
    # Keep the requestId in the visitor's session on the server. Never take it from the browser.
    request_id = call("/v1/auth/initiate", {"identity": phone, "identityType": "MOBILE", "mode": "OTP"})["requestId"]

    # A wrong code is a 200: check "verified", never the status.
    checked = {"verified": False}
    while not checked["verified"]:
        checked = call("/v1/auth/verify", {"requestId": request_id, "otp": input("Code: ").strip()})
        print(checked["message"])

    status = call("/v1/auth/status?" + urllib.parse.urlencode({"requestId": request_id}))
    for delivery in status["deliveries"]:
        print(delivery["channel"], delivery["deliveryStatus"])

    # Sign in the number in this answer, never one from the browser. Accept each requestId once.
    confirmed = call("/v1/auth/verify-code", {"idToken": checked["idToken"]})
    if not confirmed["success"] or confirmed["requestId"] != request_id:
        sys.exit("not verified")

    # Only if your app verifies codes itself.
    session = call("/v1/sdk/session", {"scope": "sdk"})
    print("session token for", session["expiresIn"], "s")
    print("signed in", confirmed["phoneNumber"])


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except CountersignError as error:
        sys.exit(str(error))
