import type { Keys, NewMerchantKeys } from "@countersign/core"
import { Redacted } from "effect"

const block = (title: string, { clientId, clientSecret, publicKey }: Keys) =>
  [
    `${title}`,
    `  X-Client-Id      ${clientId}`,
    `  X-Client-Secret  ${Redacted.value(clientSecret)}`,
    `  X-Public-Key     ${publicKey}`
  ].join("\n")

const curl = (url: string, keys: Keys, path: string, body: object) =>
  [
    `curl -s ${url}${path} \\`,
    `  -H 'X-Client-Id: ${keys.clientId}' -H 'X-Client-Secret: ${Redacted.value(keys.clientSecret)}' \\`,
    `  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  ].join("\n")

/** What a newcomer sees at the first start: keys, shown this once, and a login to paste. */
export const firstStart = (url: string, { live, test }: NewMerchantKeys): string => `
Your keys. They are shown this once; the secrets are stored only as hashes.

${block("live (codes go to this console and to /dev/outbox until a provider is configured)", live)}

${block("test (nothing is sent; every code is 123456)", test)}

Send a code:

${curl(url, live, "/v1/auth/initiate", { identity: "+919876543210", identityType: "MOBILE", mode: "OTP", orderId: "first-login" })}

Read it in this console or at ${url}/dev/outbox, then check it:

${curl(url, live, "/v1/auth/verify", { orderId: "first-login", otp: "CODE" })}
`

export const started = (url: string, has: { readonly embedded: boolean; readonly demo: boolean }): string => {
  const places = [
    `reference: ${url}/docs`,
    ...(has.embedded ? [`messages: ${url}/dev/outbox`] : []),
    ...(has.demo ? [`a login to try: ${url}/demo`] : [])
  ]
  return `Countersign is ready at ${url} (${places.join(", ")})`
}
