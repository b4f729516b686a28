import {
  BilledBy,
  bulkRange,
  isCurrency,
  type KeySet,
  type RetentionOptions,
  retentionRange,
  usualRetention
} from "@countersign/core"
import { ClientAddress } from "@countersign/http"
import { PgTls } from "@countersign/postgres"
import { Effect, Redacted, Result } from "effect"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"
import * as oidc from "./providers/oidc.ts"
import * as providers from "./providers/table.ts"
import { type Environment, VariableReader } from "./VariableReader.ts"

/** Everything that can be configured, checked. */
export interface Configuration {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** Absent: the embedded database in `dataDirectory`. */
  readonly databaseUrl: Redacted.Redacted | undefined
  readonly dataDirectory: string
  /** How long a start waits for a Postgres that does not answer yet. A command does not wait unless it is told to. */
  readonly databaseWaitSeconds: number
  /** Absent only with the embedded database, which makes one. */
  readonly secret: Redacted.Redacted | undefined
  readonly previousSecrets: ReadonlyArray<Redacted.Redacted>
  readonly adminToken: Redacted.Redacted | undefined
  /** The one before, which opens the same until it is taken away. */
  readonly previousAdminToken: Redacted.Redacted | undefined
  readonly liveKeys: KeySet | undefined
  readonly testKeys: KeySet | undefined
  /** Whether webhooks may go to this machine and its network, and over http. */
  readonly allowPrivateWebhooks: boolean
  readonly otlpUrl: string | undefined
  /** Whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: ClientAddress.TrustedProxies
  /** How many connections there may be at one time. Absent: the server's own bound. */
  readonly maxConnections: number | undefined
  /** For how many days verifications and events are kept. */
  readonly retention: RetentionOptions
  /** Who pays in and sets prices. */
  readonly billedBy: BilledBy
  /** How many messages of campaigns go out a second over a channel that states no pace. */
  readonly campaignsPerSecond: number | undefined
  /** The currency of prices and balances. */
  readonly currency: string
  /** Whether the dashboard's page is served. */
  readonly dashboard: boolean
  readonly providers: providers.ProviderConfiguration
  /** What the people who work for merchants sign in with, besides codes, links and passkeys. */
  readonly oidc: oidc.OidcConfiguration | undefined
}

const port = (text: string) => (/^[0-9]{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined)

const count = (text: string) => (/^[1-9][0-9]{0,6}$/.test(text) ? Number(text) : undefined)

const seconds = (text: string) => (/^[0-9]{1,4}$/.test(text) && Number(text) <= 3600 ? Number(text) : undefined)

/** One number of days for both, or verifications and events apart. */
const retention = (text: string): RetentionOptions | undefined => {
  const parts = text.split(",").map((part) => part.trim())
  if (parts.length > 2 || !parts.every((part) => /^[1-9][0-9]{0,2}$/.test(part))) return undefined
  const [verifications = 0, events = verifications] = parts.map(Number)
  return Math.max(verifications, events) > retentionRange.most ? undefined : { verifications, events }
}

const billedBy = (text: string) => BilledBy.find((one) => one === text)

const currency = (text: string) => (isCurrency(text) ? text : undefined)

const campaignsPerSecond = (text: string) => {
  const rate = count(text)
  return rate === undefined || rate > bulkRange.most ? undefined : rate
}

const urlOf =
  (...protocols: ReadonlyArray<string>) =>
  (text: string) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined

const secret = (text: string) =>
  /^([0-9a-fA-F]{64}|[A-Za-z0-9_-]{43}=?)$/.test(text) ? Redacted.make(text) : undefined

const secrets = (text: string) => {
  const parsed = text.split(",").map((one) => secret(one.trim()))
  return parsed.every((one) => one !== undefined) ? parsed : undefined
}

const proxies = (text: string) =>
  Result.getOrUndefined(ClientAddress.parseProxies(text.split(",").map((one) => one.trim())))

const secretProblem = "must be 32 bytes as base64url (43 characters) or hex (64); `countersign keys secret` makes one"

const flag = (text: string) => (text === "true" ? true : text === "false" ? false : undefined)

const onOrOff = (text: string) => (text === "on" ? true : text === "off" ? false : undefined)

const longEnough = (length: number) => (text: string) => (text.length >= length ? Redacted.make(text) : undefined)
const identifier = (text: string) => (/^[\w.-]{8,128}$/.test(text) ? text : undefined)

const keys = (reader: VariableReader, infix: string): KeySet | undefined => {
  const names = [
    `COUNTERSIGN_${infix}CLIENT_ID`,
    `COUNTERSIGN_${infix}CLIENT_SECRET`,
    `COUNTERSIGN_${infix}PUBLIC_KEY`
  ] as const
  const given = names.filter((name) => reader.text(name) !== undefined)
  if (given.length === 0) return undefined
  for (const name of names) if (!given.includes(name)) reader.refuse(name, `is required together with ${given[0]}`)
  const idProblem = "must be 8 to 128 letters, digits, dots, dashes or underscores"
  const clientId = reader.read(names[0], identifier, idProblem)
  const clientSecret = reader.read(names[1], longEnough(16), "must be at least 16 characters")
  const publicKey = reader.read(names[2], identifier, idProblem)
  return clientId === undefined || clientSecret === undefined || publicKey === undefined
    ? undefined
    : { clientId, clientSecret, publicKey }
}

/** Every variable there is; `docs/configuration.md` has a line for each. */
export const variables: ReadonlyArray<string> = [
  "HOST",
  "PORT",
  "PUBLIC_URL",
  "TRUSTED_PROXIES",
  "DATABASE_URL",
  "COUNTERSIGN_SECRET",
  "COUNTERSIGN_SECRET_PREVIOUS",
  "COUNTERSIGN_ADMIN_TOKEN",
  "COUNTERSIGN_ADMIN_TOKEN_PREVIOUS",
  "COUNTERSIGN_DATA_DIR",
  "COUNTERSIGN_CLIENT_ID",
  "COUNTERSIGN_CLIENT_SECRET",
  "COUNTERSIGN_PUBLIC_KEY",
  "COUNTERSIGN_TEST_CLIENT_ID",
  "COUNTERSIGN_TEST_CLIENT_SECRET",
  "COUNTERSIGN_TEST_PUBLIC_KEY",
  "COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS",
  "COUNTERSIGN_CHANNELS",
  "COUNTERSIGN_MAX_CONNECTIONS",
  "COUNTERSIGN_DATABASE_WAIT_SECONDS",
  "COUNTERSIGN_RETENTION_DAYS",
  "COUNTERSIGN_BILLED_BY",
  "COUNTERSIGN_CURRENCY",
  "COUNTERSIGN_DASHBOARD",
  "COUNTERSIGN_CAMPAIGNS_PER_SECOND",
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  ...providers.names,
  ...oidc.names
]

export interface Examined {
  /** With defaults in place of what is wrong. */
  readonly configuration: Configuration
  readonly problems: Array<string>
}

/** Reads the configuration from environment variables. */
export const read = (
  environment: Environment,
  purpose: "service" | "command" = "service"
): Effect.Effect<Configuration, InvalidConfiguration> =>
  Effect.suspend(() => {
    const { configuration, problems } = examine(environment, purpose)
    return problems.length > 0 ? Effect.fail(new InvalidConfiguration({ problems })) : Effect.succeed(configuration)
  })

/** The same with all problems, for whoever knows of more and tells them together. */
export const examine = (
  environment: Environment,
  /** An operator's command needs storage, and none of the service's secrets. */
  purpose: "service" | "command" = "service"
): Examined => {
  const reader = new VariableReader(environment)
  const databaseUrl = reader.read(
    "DATABASE_URL",
    urlOf("postgres:", "postgresql:"),
    "must be postgres://user:password@host:5432/database"
  )
  const tls = databaseUrl === undefined ? undefined : PgTls.ways(databaseUrl)
  if (tls !== undefined && Result.isFailure(tls)) reader.refuse("DATABASE_URL", tls.failure)
  const databaseWaitSeconds = reader.read(
    "COUNTERSIGN_DATABASE_WAIT_SECONDS",
    seconds,
    "must be a whole number from 0 to 3600"
  )
  const kept = reader.read(
    "COUNTERSIGN_RETENTION_DAYS",
    retention,
    "must be days from 1 to 400: one number, or two with a comma between, of verifications and of events"
  )
  // Another word must not leave merchants to pay themselves in.
  const biller = reader.read("COUNTERSIGN_BILLED_BY", billedBy, `must be ${BilledBy.join(" or ")}`)
  const money = reader.read("COUNTERSIGN_CURRENCY", currency, "must be a currency of ISO 4217 in upper case, as INR")
  const campaigns = reader.read(
    "COUNTERSIGN_CAMPAIGNS_PER_SECOND",
    campaignsPerSecond,
    `must be a whole number from ${bulkRange.least} to ${bulkRange.most}`
  )
  const dashboard = reader.read("COUNTERSIGN_DASHBOARD", onOrOff, "must be on or off")
  const host = reader.text("HOST") ?? (databaseUrl === undefined ? "127.0.0.1" : "0.0.0.0")
  const chosenPort = reader.read("PORT", port, "must be a whole number from 0 to 65535") ?? 8080
  const publicUrl = reader.read("PUBLIC_URL", urlOf("http:", "https:"), "must be an http or https URL")
  const master = reader.read("COUNTERSIGN_SECRET", secret, secretProblem)
  if (purpose === "service" && databaseUrl !== undefined && reader.text("COUNTERSIGN_SECRET") === undefined) {
    reader.refuse("COUNTERSIGN_SECRET", "is required with DATABASE_URL; `countersign keys secret` makes one")
  }
  const previousSecrets = reader.read(
    "COUNTERSIGN_SECRET_PREVIOUS",
    secrets,
    `each, separated by commas, ${secretProblem}`
  )
  const adminToken = reader.read("COUNTERSIGN_ADMIN_TOKEN", longEnough(16), "must be at least 16 characters")
  const previousAdminToken = reader.read(
    "COUNTERSIGN_ADMIN_TOKEN_PREVIOUS",
    longEnough(16),
    "must be at least 16 characters"
  )
  if (previousAdminToken !== undefined && reader.text("COUNTERSIGN_ADMIN_TOKEN") === undefined) {
    reader.refuse("COUNTERSIGN_ADMIN_TOKEN", "is required together with COUNTERSIGN_ADMIN_TOKEN_PREVIOUS")
  }
  const liveKeys = keys(reader, "")
  const testKeys = keys(reader, "TEST_")
  if (testKeys !== undefined && liveKeys === undefined) {
    reader.refuse("COUNTERSIGN_CLIENT_ID", "is required together with COUNTERSIGN_TEST_CLIENT_ID")
  }
  const allowPrivateWebhooks =
    reader.read("COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS", flag, "must be true or false") ?? databaseUrl === undefined
  const otlpUrl = reader.read("OTEL_EXPORTER_OTLP_ENDPOINT", urlOf("http:", "https:"), "must be an http or https URL")
  const trustedProxies = reader.read(
    "TRUSTED_PROXIES",
    proxies,
    `each, separated by commas, must be ${ClientAddress.proxyForms}`
  )
  const maxConnections = reader.read("COUNTERSIGN_MAX_CONNECTIONS", count, "must be a whole number from 1 to 9999999")
  const configuration: Configuration = {
    host,
    port: chosenPort,
    publicUrl: (publicUrl ?? `http://localhost:${chosenPort}`).replace(/\/+$/, ""),
    databaseUrl: databaseUrl === undefined ? undefined : Redacted.make(databaseUrl),
    dataDirectory: reader.text("COUNTERSIGN_DATA_DIR") ?? ".countersign",
    secret: master,
    previousSecrets: previousSecrets ?? [],
    adminToken,
    previousAdminToken,
    liveKeys,
    testKeys,
    allowPrivateWebhooks,
    otlpUrl,
    trustedProxies: trustedProxies ?? [],
    maxConnections,
    databaseWaitSeconds: databaseWaitSeconds ?? (purpose === "service" ? 60 : 0),
    retention: kept ?? usualRetention,
    billedBy: biller ?? "merchant",
    campaignsPerSecond: campaigns,
    currency: money ?? "INR",
    dashboard: dashboard ?? true,
    providers: providers.read(reader),
    oidc: oidc.read(reader)
  }
  return { configuration, problems: reader.problems }
}
