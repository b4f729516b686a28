import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Layer, Redacted } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { inject } from "vitest"
import { PgStorage } from "../src/index.ts"

const admin = Effect.provide(
  PgClient.make({ url: Redacted.make(inject("databaseUrl")), maxConnections: 1 }),
  Reactivity.layer
)

let made = 0

/** A connection for a test's own statements, with our schema on the search path. */
const connectionTo = (url: string) => ({
  url: Redacted.make(url),
  startupParameters: { search_path: "countersign, public" }
})

/** A separate database that is dropped with the scope, and a superuser's connection to it. */
export class TestDatabase extends Context.Service<
  TestDatabase,
  {
    readonly url: Redacted.Redacted
    readonly connection: ReturnType<typeof connectionTo>
    readonly sql: PgClient.PgClient
    readonly name: string
  }
>()("@countersign/postgres/test/TestDatabase") {
  static readonly layer = Layer.effect(
    TestDatabase,
    Effect.gen(function* () {
      const name = `t_${process.pid}_${++made}_${Math.floor(performance.now() * 1000)}`
      const server = yield* admin
      yield* Effect.acquireRelease(server.unsafe(`create database ${name}`), () =>
        Effect.orDie(server.unsafe(`drop database ${name} with (force)`))
      )
      const url = new URL(inject("databaseUrl"))
      url.pathname = name
      const sql = yield* Effect.provide(
        PgClient.make({ ...connectionTo(url.href), maxConnections: 2, applicationName: "test" }),
        Reactivity.layer
      )
      return { url: Redacted.make(url.href), connection: connectionTo(url.href), sql, name }
    })
  )
}

/** Storage in the test's database, opened as by one more process. */
export const storage = (options: Partial<PgStorage.PgStorageOptions> = {}) =>
  Layer.unwrap(Effect.map(TestDatabase, ({ url }) => PgStorage.layer({ url, ...options })))
