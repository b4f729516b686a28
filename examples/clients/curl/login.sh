#!/usr/bin/env bash
# Verifies a phone number with curl and jq:  ./login.sh +919876543210
set -euo pipefail

: "${CS_URL:=http://localhost:8080}" "${CS_CLIENT_ID:?}" "${CS_CLIENT_SECRET:?}"

# call PATH [JSON]: sends a POST if there is a body. A failure prints its reason and ends the script.
call() {
  local answer
  answer="$(curl -sS --max-time 30 "$CS_URL$1" \
    -H "X-Client-Id: $CS_CLIENT_ID" -H @<(printf 'X-Client-Secret: %s' "$CS_CLIENT_SECRET") \
    -H 'Content-Type: application/json' ${2:+--data "$2"})"
  if jq -e 'has("errorCode")' <<<"$answer" >/dev/null; then
    jq -r '"\(.errorCode): \(.message)"' <<<"$answer" >&2
    return 1
  fi
  printf '%s' "$answer"
}

phone="${1:?which number?}"
started="$(call /v1/auth/initiate "$(jq -n --arg to "$phone" '{identity: $to, identityType: "MOBILE", mode: "OTP"}')")"
request_id="$(jq -r .requestId <<<"$started")"

# A wrong code is a 200: check "verified", never the status.
verified=false
while [[ "$verified" != true ]]; do
  read -r -p 'Code: ' code || { echo 'no code' >&2; exit 1; }
  checked="$(call /v1/auth/verify "$(jq -n --arg id "$request_id" --arg otp "$code" '{requestId: $id, otp: $otp}')")"
  verified="$(jq -r .verified <<<"$checked")"
  jq -r .message <<<"$checked"
done

# The delivery status of each message.
call "/v1/auth/status?requestId=$request_id" | jq -r '.deliveries[] | "\(.channel) \(.deliveryStatus)"'

# Sign in the number in this answer, never one from the browser.
confirmed="$(call /v1/auth/verify-code "$(jq '{idToken}' <<<"$checked")")"
[[ "$(jq -r .success <<<"$confirmed")" == true ]] || exit 1

# Only if your app verifies codes itself.
call /v1/sdk/session '{"scope":"sdk"}' | jq -r '"session token for \(.expiresIn) s"'

jq -r '"signed in \(.phoneNumber)"' <<<"$confirmed"
