import { PgClient } from "@effect/sql-pg"
import { PGlite } from "@electric-sql/pglite"
import { assert, it, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Queue, Scope } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { vi } from "vitest"
import * as EmptyDatabase from "../src/EmptyDatabase.ts"
import { PgliteBridge } from "../src/index.ts"

const fromArchive = async () => {
  const tar = await EmptyDatabase.load()
  return tar === undefined ? {} : { loadDataDir: new Blob([tar]) }
}

class Backend extends Context.Service<Backend, { readonly pglite: PGlite; readonly bridge: PgliteBridge }>()(
  "Backend"
) {
  static readonly layer = Layer.effect(
    Backend,
    Effect.gen(function* () {
      const pglite = yield* Effect.acquireRelease(
        Effect.promise(async () => PGlite.create(await fromArchive())),
        (opened) => Effect.promise(() => opened.close())
      )
      yield* Effect.promise(() => pglite.exec("create table note (text text primary key)"))
      return { pglite, bridge: new PgliteBridge(pglite) }
    })
  )
}

/** A client with its own connections. */
const client = Effect.gen(function* () {
  const { bridge } = yield* Backend
  return yield* Effect.provide(
    PgClient.make({
      stream: bridge.connect,
      username: "postgres",
      database: "postgres",
      maxConnections: 3,
      connectTimeout: "30 seconds"
    }),
    Reactivity.layer
  )
})

const frame = (type: string, body: string): Buffer => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + Buffer.byteLength(body))
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)])
}
const startup = frame("", "\u0000\u0003\u0000\u0000user\u0000postgres\u0000database\u0000postgres\u0000\u0000")
const query = (sql: string) => frame("Q", `${sql}\u0000`)

/** A raw connection. `ready` waits for the backend, and returns the types of the messages received until then. */
const raw = (bridge: PgliteBridge) => {
  const stream = bridge.connect()
  let received: Buffer = Buffer.alloc(0)
  let types = ""
  let arrived: () => void = () => {}
  stream.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    while (received.length >= 5 && received.length > received.readInt32BE(1)) {
      types += String.fromCharCode(received[0]!)
      received = received.subarray(1 + received.readInt32BE(1))
    }
    arrived()
  })
  return {
    send: (bytes: Buffer) => void stream.write(bytes),
    close: () => stream.destroy(),
    ready: Effect.callback<string>((resume) => {
      arrived = () => {
        const end = types.indexOf("Z")
        if (end < 0) return
        const until = types.slice(0, end + 1)
        types = types.slice(end + 1)
        arrived = () => {}
        resume(Effect.succeed(until))
      }
      arrived()
    })
  }
}

const notes = (sql: PgClient.PgClient) =>
  Effect.map(sql<{ text: string }>`select text from note order by text`, (rows) => rows.map(({ text }) => text))

layer(Backend.layer, { excludeTestServices: true })("PgliteBridge", (it) => {
  it.effect("a transaction blocks other connections until it ends", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* client, yield* client]
      const entered = yield* Deferred.make<void>()
      const leave = yield* Deferred.make<void>()
      const writing = yield* Effect.forkChild(
        mine.withTransaction(
          Effect.gen(function* () {
            yield* mine`insert into note values ('a')`
            yield* Deferred.succeed(entered, undefined)
            yield* Deferred.await(leave)
            yield* mine`insert into note values ('b')`
          })
        )
      )
      yield* Deferred.await(entered)
      const reading = yield* Effect.forkChild(notes(other), { startImmediately: true })
      yield* Deferred.succeed(leave, undefined)
      yield* Fiber.join(writing)
      assert.deepStrictEqual(yield* Fiber.join(reading), ["a", "b"])
      yield* mine`delete from note`
    })
  )

  it.effect("a transaction that fails, or whose client disconnects, leaves nothing behind", () =>
    Effect.gen(function* () {
      const other = yield* client
      const failing = yield* client
      yield* Effect.exit(
        failing.withTransaction(Effect.andThen(failing`insert into note values ('x')`, Effect.fail("no")))
      )
      const scope = yield* Scope.make()
      const leaving = yield* Scope.provide(client, scope)
      const inside = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        leaving.withTransaction(
          leaving`insert into note values ('y')`.pipe(
            Effect.andThen(Deferred.succeed(inside, undefined)),
            Effect.andThen(Effect.never)
          )
        )
      )
      yield* Deferred.await(inside)
      yield* Fiber.interrupt(fiber)
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(yield* notes(other), [])
    })
  )

  it.effect("prepared statements of different clients do not collide, and are removed with their client", () =>
    Effect.gen(function* () {
      const { pglite } = yield* Backend
      yield* Effect.scoped(
        Effect.gen(function* () {
          const [mine, other] = [yield* client, yield* client]
          for (const text of ["c", "d", "e"]) {
            const answers = yield* Effect.all(
              [mine<{ a: string }>`select ${text}::text as a`, other<{ a: number }>`select length(${text}::text) as a`],
              { concurrency: "unbounded" }
            )
            assert.deepStrictEqual(answers, [[{ a: text }], [{ a: 1 }]])
          }
        })
      )
      yield* Effect.andThen(client, notes)
      const left = yield* Effect.promise(() =>
        pglite.query("select name from pg_prepared_statements where name like 's%effect%'")
      )
      assert.isAtMost(left.rows.length, 1)
    })
  )

  it.effect("an error ends its statement and keeps its connection", () =>
    Effect.gen(function* () {
      const sql = yield* client
      yield* sql`insert into note values ('once')`
      assert.strictEqual((yield* Effect.flip(sql`insert into note values ('once')`)).reason._tag, "UniqueViolation")
      assert.deepStrictEqual(yield* notes(sql), ["once"])
      yield* sql`delete from note`
    })
  )

  it.effect("a connection that is being opened receives nothing else before it is ready", () =>
    Effect.gen(function* () {
      const { bridge } = yield* Backend
      const opened = raw(bridge)
      opened.send(startup)
      yield* opened.ready
      opened.send(query("listen bell"))
      yield* opened.ready
      // Both are in flight concurrently, and the notification comes first.
      const opening = raw(bridge)
      opened.send(query("notify bell, 'ding'"))
      opening.send(startup)
      assert.include(yield* opened.ready, "A")
      assert.notInclude(yield* opening.ready, "A")
      opened.send(query("notify bell, 'dong'"))
      yield* opened.ready
      opening.send(query("select 1"))
      assert.match(yield* opening.ready, /^A/)
      opened.close()
      opening.close()
    })
  )

  it.effect("a notification reaches every connection", () =>
    Effect.gen(function* () {
      const [mine, other] = [yield* client, yield* client]
      const heard = yield* Effect.all([mine.listen("bell"), other.listen("bell")])
      yield* other.notify("bell", "ding")
      for (const queue of heard) assert.strictEqual((yield* Queue.take(queue)).payload, "ding")
    })
  )

  it.effect("messages that arrive in pieces are understood", () =>
    Effect.gen(function* () {
      const { bridge } = yield* Backend
      const answer = yield* Effect.callback<Buffer>((resume) => {
        const connection = bridge.connect()
        const received: Array<Buffer> = []
        connection.on("data", (chunk: Buffer) => {
          received.push(chunk)
          const all = Buffer.concat(received)
          if (all.includes("piecemeal")) {
            connection.destroy()
            resume(Effect.succeed(all))
          }
        })
        const parameters = Buffer.from("user\0postgres\0database\0postgres\0\0")
        const startup = Buffer.alloc(8 + parameters.length)
        startup.writeInt32BE(startup.length, 0)
        startup.writeInt32BE(196_608, 4)
        parameters.copy(startup, 8)
        const sql = Buffer.from("select 'piece' || 'meal'\0")
        const query = Buffer.alloc(5 + sql.length)
        query[0] = 0x51
        query.writeInt32BE(query.length - 1, 1)
        sql.copy(query, 5)
        for (const byte of Buffer.concat([startup, query])) connection.write(Buffer.from([byte]))
      })
      assert.include(answer.toString("latin1"), "piecemeal")
    })
  )
})

it.effect("after the clock is set back, the backend restarts its waits once, outside of transactions", () =>
  Effect.gen(function* () {
    let [aside, inTransaction] = [0, false]
    const start = performance.timeOrigin
    vi.spyOn(Date, "now").mockImplementation(() => start + performance.now() + aside)
    const asked: Array<string> = []
    const bridge = new PgliteBridge({
      execProtocolRawSync: (bytes) => {
        const text = Buffer.from(bytes)
          .toString()
          .replace(/[^ -~]/g, "")
        asked.push(text)
        if (text.endsWith("begin")) inTransaction = true
        if (text.endsWith("commit")) inTransaction = false
        return frame("Z", inTransaction ? "T" : "I")
      },
      syncToFs: () => Promise.resolve()
    })
    const connection = raw(bridge)
    const say = (bytes: Buffer) => {
      connection.send(bytes)
      return connection.ready
    }
    const flushes = () => asked.filter((text) => text.includes("pg_stat_force_next_flush")).length
    yield* say(startup)
    aside = 40 * 86_400_000
    yield* say(query("select 1"))
    assert.strictEqual(flushes(), 0)
    yield* say(query("begin"))
    aside = 0
    yield* say(query("select 2"))
    assert.strictEqual(flushes(), 0)
    yield* say(query("commit"))
    yield* say(query("select 3"))
    yield* say(query("select 4"))
    assert.strictEqual(flushes(), 1)
  }).pipe(Effect.ensuring(Effect.sync(() => vi.restoreAllMocks())))
)
