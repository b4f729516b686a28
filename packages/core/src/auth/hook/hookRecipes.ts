import type { HookKind } from "./hookKinds.ts"

/** What a configuration needs to know about a hook. The secret is null where it is no longer known. */
export interface HookPlace {
  readonly url: string
  readonly secret: string | null
}

const hidden = "<secret>"

/** Where a hook gets the secret that its sign-in system made. */
const rotationOf = (url: string): string =>
  url.replace(/\/v1\/hooks\/[^/]+\/([^/]+)$/, "/v1/dashboard/hooks/$1/rotate-secret")

const supabase =
  (hook: "sms" | "email", alsoNeeded: string) =>
  ({ secret, url }: HookPlace) =>
    `# supabase/config.toml, or Authentication > Hooks in the dashboard of Supabase
[auth.hook.send_${hook}]
enabled = true
uri = "${url}"
secrets = "${secret ?? hidden}"
${alsoNeeded}
# Self-hosted without the command line of Supabase: environment variables of Supabase Auth
# GOTRUE_HOOK_SEND_${hook.toUpperCase()}_ENABLED=true
# GOTRUE_HOOK_SEND_${hook.toUpperCase()}_URI=${url}
# GOTRUE_HOOK_SEND_${hook.toUpperCase()}_SECRETS=${secret ?? hidden}
`

const zitadel =
  (kind: "sms" | "email") =>
  ({ url }: HookPlace) =>
    `# ZITADEL is the address of Zitadel, TOKEN an access token of a service user with the role IAM_OWNER. Needs jq
ANSWER=$(curl -sS "$ZITADEL/admin/v1/${kind}/http" -H "Authorization: Bearer $TOKEN" \\
  -H "Content-Type: application/json" -d '{"endpoint": "${url}", "description": "Countersign"}')
PROVIDER=$(echo "$ANSWER" | jq -r .id)
SIGNING_KEY=$(echo "$ANSWER" | jq -r .signingKey)
# Give the signing key to the hook: "Rotate secret" in the dashboard of Countersign with the switch, or with its server key
curl -sS "${rotationOf(url)}" \\
  -H "X-Client-Id: $ID" -H "X-Client-Secret: $SECRET" -H "Content-Type: application/json" \\
  -d '{"secret": "'"$SIGNING_KEY"'", "endOthers": true}'
# Then let Zitadel use it:
curl -sS "$ZITADEL/admin/v1/${kind}/$PROVIDER/_activate" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{}'
`

/** The program by which Kratos turns a message into a request. */
export const jsonnet = `function(ctx) {
  local data = ctx.template_data,
  to: ctx.recipient,
  type: ctx.template_type,
  code: if "login_code" in data then data.login_code
    else if "registration_code" in data then data.registration_code
    else if "verification_code" in data then data.verification_code
    else if "recovery_code" in data then data.recovery_code
    else null
}
`

const commented = (text: string): string => text.trimEnd().replace(/^/gm, "# ")

const kratos = ({ secret, url }: HookPlace) => `# kratos.yml. The body is this Jsonnet, in base64:
${commented(jsonnet)}
courier:
  channels:
    - id: sms
      type: http
      request_config:
        url: ${url}
        method: POST
        body: base64://${btoa(jsonnet)}
        auth:
          type: api_key
          config:
            name: Authorization
            value: Bearer ${secret ?? hidden}
            in: header
`

const auth0 = ({
  url
}: HookPlace) => `// Branding > Phone Provider > Custom. Add the secret of the hook to the Action as COUNTERSIGN_SECRET
const { createHmac } = require("crypto")

exports.onExecuteCustomPhoneProvider = async (event, api) => {
  const { code, delivery_method, locale, message_type, recipient } = event.notification
  const body = JSON.stringify({ to: recipient, code, type: message_type, method: delivery_method, locale })
  const key = Buffer.from(event.secrets.COUNTERSIGN_SECRET.replace("whsec_", ""), "base64")
  const mac = (text, encoding) => createHmac("sha256", key).update(text).digest(encoding)
  const id = mac(body, "hex")
  const time = Math.floor(Date.now() / 1000)
  const response = await fetch("${url}", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "webhook-id": id,
      "webhook-timestamp": String(time),
      "webhook-signature": "v1," + mac(id + "." + time + "." + body, "base64")
    },
    body,
    signal: AbortSignal.timeout(5000)
  }).catch(() => ({ ok: false, status: 503 }))
  if (response.ok) return
  if (response.status >= 500) return api.notification.retry("Countersign answered " + response.status)
  return api.notification.drop("Countersign answered " + response.status)
}
`

const generic = ({ secret, url }: HookPlace) => `# Any program that signs as Standard Webhooks do
HOOK="${url}"
HOOK_SECRET="${secret ?? hidden}"
BODY='{"identity": "+919876543210", "code": "482913"}'
MESSAGE="msg_$(openssl rand -hex 16)"; TIME=$(date +%s)
KEY=$(printf %s "\${HOOK_SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$MESSAGE.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
curl "$HOOK" -H "Content-Type: application/json" -H "webhook-id: $MESSAGE" -H "webhook-timestamp: $TIME" \\
  -H "webhook-signature: v1,$SIGNATURE" -d "$BODY"
`

/**
 * The configuration to paste into each sign-in system. The dashboard, the command line and the docs show this text, and
 * tests run it.
 */
export const hookRecipes: { readonly [K in HookKind]: (place: HookPlace) => string } = {
  "supabase-sms": supabase(
    "sms",
    "# Phone logins must be on too: enable_signup = true in the section [auth.sms], or GOTRUE_EXTERNAL_PHONE_ENABLED=true\n"
  ),
  "supabase-email": supabase("email", ""),
  "zitadel-sms": zitadel("sms"),
  "zitadel-email": zitadel("email"),
  kratos,
  auth0,
  generic
}

/** Whether the sign-in system makes the secret only after it knows the address. */
export const makesSecretLater = (kind: HookKind): boolean => kind.startsWith("zitadel")
