import type { BilledBy, CheckCaptcha, KeySet, RetentionOptions } from "@countersign/core"
import type { ClientAddress } from "@countersign/http"
import { Effect, type Redacted } from "effect"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"
import * as oidc from "./providers/oidc.ts"
import * as providers from "./providers/table.ts"
import type { Environment } from "./variables/Variable.ts"
import { VariableReader } from "./VariableReader.ts"
import * as captcha from "./variables/captcha.ts"
import * as firstMerchant from "./variables/firstMerchant.ts"
import * as listening from "./variables/listening.ts"
import { readFiles } from "./variables/readFiles.ts"
import * as rules from "./variables/rules.ts"
import * as secrets from "./variables/secrets.ts"
import * as storage from "./variables/storage.ts"
import { variables } from "./variables/variables.ts"

/** The validated configuration. */
export interface Configuration {
  readonly host: string
  readonly port: number
  readonly publicUrl: string
  /** Absent: the embedded database in `dataDirectory`. */
  readonly databaseUrl: Redacted.Redacted | undefined
  /** Absent: the schema that already has the tables, or else `countersign`. */
  readonly databaseSchema?: string | undefined
  readonly dataDirectory: string
  /** How long a start waits for a Postgres that does not answer yet. Commands wait only when the variable is set. */
  readonly databaseWaitSeconds: number
  /** Absent only with the embedded database, which generates its own. */
  readonly secret: Redacted.Redacted | undefined
  readonly previousSecrets: ReadonlyArray<Redacted.Redacted>
  readonly adminToken: Redacted.Redacted | undefined
  /** The previous token, accepted until the operator removes the variable. */
  readonly previousAdminToken: Redacted.Redacted | undefined
  readonly liveKeys: KeySet | undefined
  readonly testKeys: KeySet | undefined
  /** Whether webhooks may use plain HTTP and private addresses. */
  readonly allowPrivateWebhooks: boolean | undefined
  readonly otlpUrl: string | undefined
  /** The proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: ClientAddress.TrustedProxies
  /** The only address that serves the operator's paths. Absent: the main port serves them. */
  readonly management: { readonly host: string; readonly port: number } | undefined
  /** The addresses that may call the operator's paths. Absent: any address. */
  readonly adminAddresses: ClientAddress.TrustedProxies | undefined
  /** The most connections at one time. Absent: the server's default. */
  readonly maxConnections: number | undefined
  /** How many worker processes share the port. Absent: one process without a parent. */
  readonly workers: number | undefined
  /** How many days verifications and events are kept. */
  readonly retention: RetentionOptions
  /** Who tops up balances and sets prices. */
  readonly billedBy: BilledBy | undefined
  /** How many campaign messages each process sends per second through a channel without a pace of its own. */
  readonly campaignsPerSecond: number | undefined
  readonly currency: string | undefined
  /** Asks a captcha's provider. Absent: challenges are proofs of work. */
  readonly checkCaptcha: CheckCaptcha | undefined
  /** Whether the dashboard's page is served. */
  readonly dashboard: boolean
  readonly providers: providers.ProviderConfiguration
  /** Team members can also sign in with this identity provider. */
  readonly oidc: oidc.OidcConfiguration | undefined
}

export interface Examined {
  /** Invalid values are replaced by their defaults. */
  readonly configuration: Configuration
  readonly problems: Array<string>
  /** One line each. Warnings do not stop a start. */
  readonly warnings: ReadonlyArray<string>
}

/** A warning when `X-Forwarded-For` is ignored although a proxy must be in front. Null when all is well. */
export const unnamedProxy = ({ publicUrl, trustedProxies }: Configuration): string | null =>
  URL.parse(publicUrl)?.protocol === "https:" && trustedProxies.length === 0
    ? "TRUSTED_PROXIES: is empty, although PUBLIC_URL is https: all callers appear to have the proxy's address and share one rate limit. Add the proxy's address, for example TRUSTED_PROXIES=loopback"
    : null

/** Warnings about settings that are valid but unsafe on a public service. */
const surprises = (configuration: Configuration): ReadonlyArray<string> => {
  const { allowPrivateWebhooks, publicUrl } = configuration
  const isPublic = URL.parse(publicUrl)?.protocol === "https:"
  const proxy = unnamedProxy(configuration)
  return [
    ...(proxy === null ? [] : [proxy]),
    ...(isPublic && allowPrivateWebhooks === true
      ? [
          "COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS: is true, although PUBLIC_URL is https: merchants' webhooks can reach this machine and its private networks. Remove it unless you trust every merchant"
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

/** Like `read`, but returns all problems, so that the caller can add its own and report them together. */
export const examine = (
  environment: Environment,
  /** An operator's command needs storage, but not the master secret. */
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
    ...captcha.read(reader),
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
