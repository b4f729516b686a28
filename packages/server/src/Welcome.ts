import type { KeySet, NewMerchantKeys } from "@countersign/core"
import {
  carrierOf,
  type Channel,
  type ChannelName,
  knownChannels,
  type NumberVerifier
} from "@countersign/core/channel"
import { Redacted } from "effect"
import { resolve } from "node:path"
import type { Configuration } from "./Configuration.ts"
import type { Stage } from "./Stage.ts"

const block = (title: string, { clientId, clientSecret, publicKey }: KeySet) =>
  [
    `${title}`,
    `  X-Client-Id      ${clientId}`,
    `  X-Client-Secret  ${Redacted.value(clientSecret)}`,
    `  X-Public-Key     ${publicKey}`
  ].join("\n")

const curl = (url: string, keys: KeySet, path: string, body: object) =>
  [
    `curl -s ${url}${path} \\`,
    `  -H 'X-Client-Id: ${keys.clientId}' -H 'X-Client-Secret: ${Redacted.value(keys.clientSecret)}' \\`,
    `  -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
  ].join("\n")

const login = (url: string, live: KeySet, read: string) => `Send a code:

${curl(url, live, "/v1/auth/initiate", { identity: "+919876543210", identityType: "MOBILE", mode: "OTP", orderId: "first-login" })}

${read}, then check it:

${curl(url, live, "/v1/auth/verify", { orderId: "first-login", otp: "CODE" })}
`

const liveTitle = {
  CONSOLE: "live (codes go to this console and to /dev/outbox until a provider is configured)",
  SIMULATED: "live (codes go to simulators, and are shown at /dev/outbox)",
  REAL: "live (codes go to your providers)"
} satisfies Record<Stage, string>

/** The output of the first start: the keys, and in development commands to try a login. */
export const firstStart = (url: string, { live, test }: NewMerchantKeys, signInLink: string, stage: Stage): string => `
Your keys. They are shown only once: secrets are stored as hashes.

${block(liveTitle[stage], live)}

${block("test (nothing is sent; every code is 123456)", test)}

Open the dashboard. This link signs you in as the owner. It works once, for an hour.

  ${signInLink}
${stage === "REAL" ? "" : `\n${login(url, live, `Read the code ${stage === "CONSOLE" ? "in this console or " : ""}at ${url}/dev/outbox`)}`}`

const noChannel =
  "  channels  none: live keys cannot send codes. Set the variables of a provider\n" +
  "            (TWILIO_, MSG91_, VONAGE_, AWS_, WHATSAPP_ or SMTP_); see docs/configuration.md. Test keys\n" +
  "            need no provider"

const carriers = (channels: ReadonlyArray<Channel>, stage: Stage): ReadonlyArray<string> => {
  if (channels.length === 0) return [noChannel]
  const all = [...new Set<ChannelName>([...knownChannels, ...channels.map(({ name }) => name)])]
  return all.map((name) => {
    const carried = channels.filter((channel) => channel.name === name).map(carrierOf)
    const carrier =
      carried.length === 0 ? "not enabled" : `${stage === "SIMULATED" ? "SIMULATED " : ""}${carried.join(", ")}`
    return `  ${name.padEnd(8)}  ${carrier}`
  })
}

const proofs = (verifiers: ReadonlyArray<NumberVerifier>, stage: Stage): ReadonlyArray<string> =>
  verifiers.map(({ name, provider }) => `  ${name}  ${stage === "SIMULATED" ? "SIMULATED " : ""}${provider}`)

/** Where data is stored, without user name and password. */
const storage = ({ databaseUrl, dataDirectory }: Configuration): string => {
  if (databaseUrl === undefined) return `embedded, in ${resolve(dataDirectory)}`
  const { host, pathname, searchParams } = new URL(Redacted.value(databaseUrl))
  const where = host === "" ? (searchParams.get("host") ?? "localhost") : host
  return `Postgres, ${decodeURIComponent(pathname.slice(1)) || "the user's default database"} at ${where}`
}

/** The output of every start: the address, the storage, and the provider of each channel. */
export const summary = (
  configuration: Configuration,
  running: {
    readonly port: number
    /** Null without a management port. */
    readonly managementPort: number | null
    readonly channels: ReadonlyArray<Channel>
    readonly verifiers?: ReadonlyArray<NumberVerifier>
    readonly stage: Stage
  }
): string => {
  const at = (host: string, port: number) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`
  const { management } = configuration
  return [
    `Countersign is listening on ${at(configuration.host, running.port)}`,
    ...(management === undefined || running.managementPort === null
      ? []
      : [`  operator  ${at(management.host, running.managementPort)}, the only port with /metrics and /v1/admin`]),
    `  storage   ${storage(configuration)}`,
    ...carriers(running.channels, running.stage),
    ...proofs(running.verifiers ?? [], running.stage),
    ...(running.stage === "SIMULATED"
      ? ["  SIMULATED: no message leaves this machine. Do not use this for real logins"]
      : [])
  ].join("\n")
}

export const started = (
  url: string,
  has: { readonly dashboard: boolean; readonly outbox: boolean; readonly demo: boolean }
): string => {
  const places = [
    ...(has.dashboard ? [`dashboard: ${url}/dashboard`] : []),
    `API reference: ${url}/docs`,
    ...(has.outbox ? [`sent messages: ${url}/dev/outbox`] : []),
    ...(has.demo ? [`demo login: ${url}/demo`] : [])
  ]
  return `Countersign is ready at ${url} (${places.join(", ")})`
}
