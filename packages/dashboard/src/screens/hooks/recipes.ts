import type { Answer } from "../../api/Api.ts"

export type Hook = Answer<"GET /v1/dashboard/hooks">["items"][number]
export type Kind = Hook["kind"]
export type HookRequest = Answer<"GET /v1/dashboard/hooks/:id/requests">["items"][number]

/** The sign-in systems, the most usual first. Their names are the same in every language, except the last. */
export const kinds: ReadonlyArray<Kind> = [
  "supabase-sms",
  "supabase-email",
  "zitadel-sms",
  "zitadel-email",
  "kratos",
  "auth0",
  "generic"
]

export const names: { readonly [K in Exclude<Kind, "generic">]: string } = {
  "supabase-sms": "Supabase Auth: SMS",
  "supabase-email": "Supabase Auth: e-mail",
  "zitadel-sms": "Zitadel: SMS",
  "zitadel-email": "Zitadel: e-mail",
  kratos: "Ory Kratos",
  auth0: "Auth0"
}

/** What the configuration needs to know. The secret is null after the dialog that showed it. */
interface Values {
  readonly url: string
  readonly secret: string | null
}

const hidden = "<secret>"

const supabase =
  (hook: "sms" | "email") =>
  ({ secret, url }: Values) =>
    `# supabase/config.toml, or Authentication > Hooks in the dashboard of Supabase
[auth.hook.send_${hook}]
enabled = true
uri = "${url}"
secrets = "${secret ?? hidden}"
`

const zitadel =
  (kind: "sms" | "email") =>
  ({ url }: Values) =>
    `curl -X POST "$ZITADEL/admin/v1/${kind}/http" \\
  -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" \\
  -d '{"endpoint": "${url}", "description": "Countersign"}'
# The answer has "id" and "signingKey". Enter the signing key here with "Rotate secret", then activate the provider:
curl -X POST "$ZITADEL/admin/v1/${kind}/$ID/_activate" -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{}'
`

/** The program that turns a message of Kratos into a request. */
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

const kratos = ({ secret, url }: Values) => `# kratos.yml; body is the Jsonnet below, in base64
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

# Jsonnet
${jsonnet}`

const auth0 = ({
  secret,
  url
}: Values) => `// Branding > Phone Provider > Custom. Add the secret COUNTERSIGN_SECRET: ${secret ?? hidden}
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
    body
  }).catch(() => ({ ok: false, status: 503 }))
  if (response.ok) return
  if (response.status >= 500) return api.notification.retry("Countersign answered " + response.status)
  return api.notification.drop("Countersign answered " + response.status)
}
`

const generic = ({ secret, url }: Values) => `# Any program that signs as Standard Webhooks do
URL="${url}"
SECRET="${secret ?? hidden}"
BODY='{"identity": "+919876543210", "code": "482913"}'
ID=$(uuidgen); TIME=$(date +%s); KEY=$(printf %s "\${SECRET#whsec_}" | base64 -d | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$ID.$TIME.$BODY" | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$KEY" -binary | base64)
curl "$URL" -H "Content-Type: application/json" -H "webhook-id: $ID" -H "webhook-timestamp: $TIME" \\
  -H "webhook-signature: v1,$SIGNATURE" -d "$BODY"
`

/** The configuration to copy into each sign-in system. */
export const recipes: { readonly [K in Kind]: (values: Values) => string } = {
  "supabase-sms": supabase("sms"),
  "supabase-email": supabase("email"),
  "zitadel-sms": zitadel("sms"),
  "zitadel-email": zitadel("email"),
  kratos,
  auth0,
  generic
}

/** Whether the sign-in system makes the secret only after it knows the address. */
export const makesSecretLater = (kind: Kind): boolean => kind.startsWith("zitadel")
