import type { BilledBy, KeySet, RetentionOptions } from "@countersign/core"
import type { ClientAddress } from "@countersign/http"
import { Effect, type Redacted } from "effect"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"
import * as oidc from "./providers/oidc.ts"
import * as providers from "./providers/table.ts"
import { type Environment, VariableReader } from "./VariableReader.ts"
import * as firstMerchant from "./variables/firstMerchant.ts"
import * as listening from "./variables/listening.ts"
import { readFiles } from "./variables/readFiles.ts"
import * as rules from "./variables/rules.ts"
import * as secrets from "./variables/secrets.ts"
import * as storage from "./variables/storage.ts"
import { variables } from "./variables/variables.ts"

/** Everything that can be configured, checked. */
export interface Configuration {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** Absent: the embedded database in `dataDirectory`. */
  readonly databaseUrl: Redacted.Redacted | undefined
  /** Absent: where the tables are already, or else `countersign`. */
  readonly databaseSchema?: string | undefined
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
  readonly allowPrivateWebhooks: boolean | undefined
  readonly otlpUrl: string | undefined
  /** Whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: ClientAddress.TrustedProxies
  /** Where the operator's paths are served, and nowhere else. Absent: with all others. */
  readonly management: { readonly host: string; readonly port: number } | undefined
  /** From where the operator's paths may be called. Absent: from anywhere. */
  readonly adminAddresses: ClientAddress.TrustedProxies | undefined
  /** How many connections there may be at one time. Absent: the server's own bound. */
  readonly maxConnections: number | undefined
  /** How many processes share the port below a parent. Absent: this one alone, without a parent. */
  readonly workers: number | undefined
  /** For how many days verifications and events are kept. */
  readonly retention: RetentionOptions
  /** Who pays in and sets prices. */
  readonly billedBy: BilledBy | undefined
  /** How many messages of campaigns go out a second over a channel that states no pace. */
  readonly campaignsPerSecond: number | undefined
  /** The currency of prices and balances. */
  readonly currency: string | undefined
  /** Whether the dashboard's page is served. */
  readonly dashboard: boolean
  readonly providers: providers.ProviderConfiguration
  /** What the people who work for merchants sign in with, besides codes, links and passkeys. */
  readonly oidc: oidc.OidcConfiguration | undefined
}

export interface Examined {
  /** With defaults in place of what is wrong. */
  readonly configuration: Configuration
  readonly problems: Array<string>
  /** What stops nothing, a line for each. */
  readonly warnings: ReadonlyArray<string>
}

/** Why every caller looks like one address; null where the configuration gives no reason to think so. */
export const unnamedProxy = ({ publicUrl, trustedProxies }: Configuration): string | null =>
  URL.parse(publicUrl)?.protocol === "https:" && trustedProxies.length === 0
    ? "TRUSTED_PROXIES: is empty, and PUBLIC_URL is https: all callers have the proxy's address and share one limit. Name the proxy, for example TRUSTED_PROXIES=loopback"
    : null

/** Settings that are valid and do harm where strangers reach the service. */
const surprises = (configuration: Configuration): ReadonlyArray<string> => {
  const { allowPrivateWebhooks, publicUrl } = configuration
  const isPublic = URL.parse(publicUrl)?.protocol === "https:"
  const proxy = unnamedProxy(configuration)
  return [
    ...(proxy === null ? [] : [proxy]),
    ...(isPublic && allowPrivateWebhooks === true
      ? [
          "COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS: is true, and PUBLIC_URL is https: merchants' webhooks reach this machine and its networks. Remove it unless you trust every merchant"
        ]
      : [])
  ]
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
  const { problems, warnings, ...files } = readFiles(environment, variables)
  const reader = new VariableReader(environment, variables, files)
  const stored = storage.read(reader, purpose)
  const isEmbedded = stored.databaseUrl === undefined
  const configuration: Configuration = {
    ...stored,
    ...listening.read(reader, { isEmbedded }),
    ...secrets.read(reader),
    ...firstMerchant.read(reader),
    ...rules.read(reader),
    providers: providers.read(reader),
    oidc: oidc.read(reader)
  }
  reader.refuseMissing({ but: purpose === "service" ? [] : ["COUNTERSIGN_SECRET"] })
  return {
    configuration,
    problems: [...problems, ...reader.problems],
    warnings: [...warnings, ...surprises(configuration)]
  }
}
