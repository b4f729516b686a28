import { Core, type Services } from "@countersign/core"
import { type Channel, knownChannels } from "@countersign/core/channel"
import type { Storage } from "@countersign/core/storage"
import { Dispatcher } from "@countersign/http"
import { PgClock, PgStorage, type StorageStartError } from "@countersign/postgres"
import { Passkeys } from "@countersign/passkeys"
import { HttpPushSender, HttpWebhookSender } from "@countersign/webhooks"
import { Console, Duration, Effect, Layer, Logger } from "effect"
import { existsSync, readdirSync } from "node:fs"
import { FetchHttpClient } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import * as Assets from "./Assets.ts"
import type { Configuration } from "./Configuration.ts"
import type { InvalidConfiguration } from "./InvalidConfiguration.ts"
import * as Dashboard from "./dashboard/Dashboard.ts"
import * as Demo from "./Demo.ts"
import * as DevWhatsApp from "./DevWhatsApp.ts"
import { Mounts } from "./HttpServer.ts"
import * as MasterSecret from "./MasterSecret.ts"
import * as Outbox from "./Outbox.ts"
import { outboxPath } from "./outbox/outboxPages.ts"
import * as Providers from "./providers/Providers.ts"
import * as Simulation from "./Simulation.ts"
import type { Stage } from "./Stage.ts"
import * as Worker from "./workers/Worker.ts"

/** Another process has taken over the embedded database. Exit without closing it, because closing writes too. */
const end = ({ message }: Error): void => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const inDays = ({ events, verifications }: Configuration["retention"]) => ({
  verifications: Duration.days(verifications),
  events: Duration.days(events)
})

/**
 * The size of each worker's connection pool. One more connection per worker sends heartbeats. Up to 18 workers and a
 * successor stay below 97 connections, the Postgres default for roles other than the superuser.
 */
export const connectionsOf = (workers: number | undefined): number | undefined =>
  workers === undefined ? undefined : Math.min(16, Math.max(4, Math.floor(80 / (workers + 1))))

/** Files that the embedded database creates are private to this user. The umask is restored when the scope closes. */
const closedToOthers = Effect.acquireRelease(
  Effect.sync(() => process.umask(0o077)),
  (before) => Effect.sync(() => process.umask(before))
)

/** Whether the directory has no database yet. False when the directory cannot be read. */
const isWithoutDatabase = (directory: string): boolean => {
  try {
    return !existsSync(directory) || !readdirSync(directory).includes("data")
  } catch {
    return false
  }
}

/** The first start takes several seconds and prints nothing else in that time. */
const sayFirstStart = (directory: string) =>
  isWithoutDatabase(directory)
    ? Console.error(`Creating the database in ${directory}. This takes a few seconds`)
    : Effect.void

/** The configured storage. With Postgres, the clock follows the database's, so that all processes agree on the time. */
export const storage = ({
  databaseSchema,
  databaseUrl,
  databaseWaitSeconds,
  dataDirectory,
  retention,
  workers
}: Configuration) =>
  databaseUrl === undefined
    ? Layer.unwrap(
        Effect.as(
          Effect.andThen(sayFirstStart(dataDirectory), closedToOthers),
          PgStorage.layerEmbedded({
            directory: dataDirectory,
            files: Assets.embedded,
            onLost: end,
            retention: inDays(retention)
          })
        )
      )
    : PgClock.layer.pipe(
        Layer.provideMerge(
          PgStorage.layer({
            url: databaseUrl,
            schema: databaseSchema,
            patience: `${databaseWaitSeconds} seconds`,
            connections: connectionsOf(workers),
            retention: inDays(retention)
          })
        )
      )

/** Logs one JSON object per line. */
export const logs = Logger.layer([Logger.consoleJson])

/** `logs`, plus traces when a collector is configured. */
const observability = ({ otlpUrl }: Configuration) =>
  Layer.mergeAll(
    logs,
    otlpUrl === undefined
      ? Layer.empty
      : Otlp.layer({ baseUrl: otlpUrl, resource: { serviceName: "countersign" }, loggerMergeWithExisting: true }).pipe(
          Layer.provide(OtlpSerialization.layerJson),
          Layer.provide(FetchHttpClient.layer)
        )
  )

/** Messages to a simulated provider stay on this machine, so their links may point to `localhost`. */
const onThisMachine = (channel: Channel): Channel => ({ ...channel, supports: { ...channel.supports, local: true } })

/** The channels. In development also the outbox page, and with `--simulate` a way to play a customer. */
const outgoing = Effect.fnUntraced(function* (configuration: Configuration, stage: Stage) {
  const { providers, publicUrl } = configuration
  const options = { demo: Demo.isThere(stage) }
  const simulation = stage === "SIMULATED" ? yield* Simulation.start(publicUrl, options) : undefined
  const { channels, ...means } = yield* Providers.means(
    simulation?.providers ?? providers,
    publicUrl,
    configuration.oidc
  )
  const mounts = simulation === undefined ? [] : [yield* DevWhatsApp.make(simulation.play)]
  const truecaller = { play: simulation?.playTruecaller }
  if (simulation !== undefined) {
    return { ...means, channels: channels.map(onThisMachine), pages: simulation.pages, mounts, truecaller }
  }
  if (stage !== "CONSOLE") return { ...means, channels, pages: undefined, mounts, truecaller }
  const outbox = Outbox.make(options)
  return { ...means, channels: knownChannels.map(outbox.channelFor), pages: outbox.pages, mounts, truecaller }
})

/** The configured service, without the HTTP server. */
export const layer = (
  configuration: Configuration,
  stage: Stage
): Layer.Layer<
  Demo.Truecaller | Dispatcher | Mounts | Services | Storage,
  | InvalidConfiguration
  | Core.StartError
  | StorageStartError
  | MasterSecret.DataDirectoryUnusable
  | MasterSecret.SecretLost
> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const {
        adminToken,
        allowPrivateWebhooks,
        otlpUrl,
        previousAdminToken,
        previousSecrets,
        publicUrl,
        trustedProxies
      } = configuration
      const { carriers, channels, identityProvider, lineInfo, mounts, pages, verifiers, truecaller } = yield* outgoing(
        configuration,
        stage
      )
      const secret = yield* MasterSecret.resolve(configuration)
      const allowPrivate = allowPrivateWebhooks ?? stage !== "REAL"
      return Dispatcher.layer({
        adminToken,
        previousAdminToken,
        publicUrl,
        trustedProxies,
        managementApart: configuration.management !== undefined,
        adminAddresses: configuration.adminAddresses,
        pages: configuration.dashboard ? { ...pages, ...Dashboard.front } : pages,
        outboxPage: stage === "REAL" ? undefined : outboxPath,
        tracing: otlpUrl !== undefined,
        metrics: Worker.metricsOfAll
      }).pipe(
        Layer.provideMerge(
          Core.layer({
            secret,
            previousSecrets,
            publicUrl,
            channels,
            carriers,
            verifiers,
            lineInfo,
            lineTable: configuration.providers.lines?.table,
            lineLookupsPerHour: configuration.providers.lines?.lookupsPerHour,
            passkeys: Passkeys.make(),
            identityProvider,
            retention: configuration.retention,
            billedBy: configuration.billedBy,
            currency: configuration.currency,
            checkCaptcha: configuration.checkCaptcha,
            campaignsPerSecond: configuration.campaignsPerSecond,
            webhooks: HttpWebhookSender.layer({ allowPrivate }),
            push: configuration.dashboard ? HttpPushSender.layer({ allowPrivate }) : undefined
          })
        ),
        Layer.provideMerge(storage(configuration)),
        Layer.merge(Layer.succeed(Mounts, mounts)),
        Layer.merge(Layer.succeed(Demo.Truecaller, truecaller))
      )
    })
  ).pipe(Layer.provideMerge(observability(configuration)))
