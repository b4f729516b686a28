import { type Channel, Core, type InvalidSecret, type Services, type Storage } from "@countersign/core"
import { Dispatcher } from "@countersign/http"
import { PgClock, PgStorage, type StorageStartError } from "@countersign/postgres"
import { Effect, Layer, Logger } from "effect"
import { FetchHttpClient } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import type { Configuration } from "./Configuration.ts"
import * as MasterSecret from "./MasterSecret.ts"
import * as Outbox from "./Outbox.ts"

const names = ["SMS", "WHATSAPP", "EMAIL", "RCS"] as const

/** Storage as configured, with a clock that agrees with the database's where processes share one. */
export const storage = ({ databaseUrl, dataDirectory }: Configuration) =>
  databaseUrl === undefined
    ? PgStorage.layerEmbedded({ directory: dataDirectory })
    : PgClock.layer.pipe(Layer.provideMerge(PgStorage.layer({ url: databaseUrl })))

/** Logs as one JSON object a line; traces to a collector where one is configured. */
const observability = ({ otlpUrl }: Configuration) =>
  Layer.mergeAll(
    Logger.layer([Logger.consoleJson]),
    otlpUrl === undefined
      ? Layer.empty
      : Otlp.layer({ baseUrl: otlpUrl, resource: { serviceName: "countersign" }, loggerMergeWithExisting: true }).pipe(
          Layer.provide(OtlpSerialization.layerJson),
          Layer.provide(FetchHttpClient.layer)
        )
  )

/** The whole service as configured, but for the socket. */
export const layer = (
  configuration: Configuration
): Layer.Layer<Dispatcher | Services | Storage, InvalidSecret | StorageStartError | MasterSecret.DataDirectoryUnusable> =>
  Layer.unwrap(
    Effect.map(MasterSecret.resolve(configuration), (secret) => {
      const outbox = configuration.databaseUrl === undefined ? Outbox.make() : undefined
      const channels: ReadonlyArray<Channel> = outbox === undefined ? [] : names.map(outbox.channelFor)
      const core = Core.layer({
        secret,
        previousSecrets: configuration.previousSecrets,
        publicUrl: configuration.publicUrl,
        channels
      })
      return Dispatcher.layer({
        adminToken: configuration.adminToken,
        publicUrl: configuration.publicUrl,
        pages: outbox?.pages,
        tracing: configuration.otlpUrl !== undefined
      }).pipe(Layer.provideMerge(core), Layer.provideMerge(storage(configuration)))
    })
  ).pipe(Layer.provideMerge(observability(configuration)))
