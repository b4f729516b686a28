import { changeOf, Subject, VerificationStore } from "@countersign/core/storage"
import { StorageTest } from "@countersign/testkit"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Session from "../src/backup/Session.ts"
import * as Embedded from "../src/Embedded.ts"
import { PgStorage, StorageStartError } from "../src/index.ts"
import * as LockFile from "../src/LockFile.ts"

StorageTest.suite("embedded, in memory", PgStorage.layerEmbedded())

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-embedded-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const person = Subject.empty("env", "919876543210")

/** The output of a start in a process with a low limit on open files. */
const saidWith = (files: number, directory: string) => {
  const start = `
    import { Effect, Layer } from "effect"
    import { PgStorage } from ${JSON.stringify(new URL("../src/index.ts", import.meta.url).href)}
    const { message } = await Effect.runPromise(
      Effect.flip(Effect.scoped(Layer.build(PgStorage.layerEmbedded({ directory: ${JSON.stringify(directory)} }))))
    )
    console.log(message)
    process.exit(0)`
  const { stdout } = spawnSync(
    "sh",
    ["-c", 'ulimit -n "$1" && exec "$2" --input-type=module -e "$3"', "sh", String(files), process.execPath, start],
    { cwd: import.meta.dirname, encoding: "utf8" }
  )
  return stdout
}

const modes = (directory: string): ReadonlyArray<number> =>
  readdirSync(directory, { recursive: true, withFileTypes: true }).map((entry) => {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777
    return entry.isDirectory() ? mode ^ 0o700 : mode ^ 0o600
  })

it.live(
  "committed data survives a restart, a directory is opened once at a time, and every open restricts it to its owner",
  () =>
    Effect.gen(function* () {
      const directory = join(yield* temporary, "data directory")
      mkdirSync(directory, { mode: 0o755 })
      chmodSync(directory, 0o755)
      writeFileSync(join(directory, "secret"), "", { mode: 0o644 })
      const open = Effect.map(Layer.build(PgStorage.layerEmbedded({ directory })), Context.get(VerificationStore))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* open
          assert.strictEqual(statSync(join(directory, "data", "PG_VERSION")).mode & 0o777, 0o600)
          assert.isAbove(modes(directory).length, 100)
          yield* store.commit(
            changeOf(
              null,
              { ...person, guesses: { ...person.guesses, SDK: { failures: 3, failedAt: 5 } } },
              null,
              null,
              {
                orderId: "order"
              }
            )
          )
          const error = yield* Effect.flip(Effect.scoped(open))
          assert.deepInclude(error.reason, { _tag: "DirectoryInUse", directory })
          assert.deepStrictEqual(yield* store.subject("env", person.canonical), {
            ...person,
            guesses: { ...person.guesses, SDK: { failures: 3, failedAt: 5 } },
            version: 1
          })
        })
      )
      chmodSync(directory, 0o755)
      chmodSync(join(directory, "data", "base"), 0o777)
      chmodSync(join(directory, "data", "PG_VERSION"), 0o666)
      const store = yield* open
      assert.strictEqual(statSync(directory).mode & 0o777, 0o700)
      assert.strictEqual(statSync(join(directory, "secret")).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(directory, "data", "base")).mode & 0o777, 0o700)
      assert.strictEqual(statSync(join(directory, "data", "PG_VERSION")).mode & 0o777, 0o600)
      assert.deepStrictEqual(yield* store.subject("env", person.canonical), {
        ...person,
        guesses: { ...person.guesses, SDK: { failures: 3, failedAt: 5 } },
        version: 1
      })
    }).pipe(Effect.scoped),
  60_000
)

it.live(
  "a new and an existing database start with a cache of 64 MB, and keep PGlite's own parameters",
  () =>
    Effect.gen(function* () {
      const data = join(yield* temporary, "data")
      const read = Effect.scoped(
        Effect.gen(function* () {
          const session = yield* Session.open(yield* Embedded.openFiles(data, "0"))
          const show = (name: string) => Effect.promise(() => session(`show ${name}`))
          return [yield* show("shared_buffers"), yield* show("max_worker_processes")]
        })
      )
      for (const start of ["first", "second"]) assert.deepStrictEqual(yield* read, [[["64MB"]], [["0"]]], start)
    }).pipe(Effect.scoped),
  60_000
)

const refusal = (directory: string) =>
  Effect.map(Effect.flip(Effect.scoped(Layer.build(PgStorage.layerEmbedded({ directory })))), ({ reason }) => reason)

it.live("a directory of another user is refused with its owner and the next step", ({ skip }) => {
  if (process.getuid?.() !== 0) return skip("only root can give a directory away")
  return Effect.gen(function* () {
    const directory = yield* temporary
    chownSync(directory, 12345, 12345)
    const reason = yield* refusal(directory)
    assert.deepInclude(reason, { _tag: "NotPrivate" })
    const { message } = new StorageStartError({ reason })
    assert.include(message, `${directory} belongs to user 12345, and this process runs as user 0`)
    assert.include(message, "chown -R 0")
    assert.deepStrictEqual(readdirSync(directory), [])
  }).pipe(Effect.scoped)
})

it.live(
  "a process whose directory was taken over stops writing, reports it, and leaves the files as they are",
  () =>
    Effect.gen(function* () {
      const directory = join(yield* temporary, "made", "on demand")
      const told: Array<string> = []
      const scope = yield* Scope.make()
      const onLost = ({ message }: Error) => void told.push(message)
      const context = yield* Layer.buildWithScope(PgStorage.layerEmbedded({ directory, onLost }), scope)
      const store = Context.get(context, VerificationStore)
      yield* store.commit(changeOf(null, person, null, null, {}))
      const taken = { id: "ff", kernel: null, socket: null, pid: 1, host: "elsewhere", released: false }
      assert.isTrue(LockFile.create(directory, 2, taken))
      yield* Effect.promise(() => new Promise((resume) => setTimeout(resume, 1600)))
      assert.strictEqual(
        (yield* Effect.flip(store.commit(changeOf(null, { ...person, version: 1 }, null, null, {}))))._tag,
        "StoreError"
      )
      assert.deepStrictEqual(told.length, 1)
      assert.include(told[0], `another process took over ${directory}`)
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual(LockFile.parse(LockFile.read(directory, 2)!)?.id, "ff")
    }).pipe(Effect.scoped),
  60_000
)

it.effect("a path that cannot be a directory is refused with a reason", () =>
  Effect.gen(function* () {
    const file = join(yield* temporary, "file")
    writeFileSync(file, "")
    assert.strictEqual((yield* refusal(join(file, "below")))._tag, "NotPrivate")
  })
)

it.live.skipIf(process.platform !== "linux")(
  "a start with too few open files reports the low limit and how to raise it",
  () =>
    Effect.gen(function* () {
      for (const files of [50, 100]) {
        const said = saidWith(files, yield* temporary)
        assert.include(said, "this process has too low a limit of open files. Raise it (ulimit -n", String(files))
        assert.include(said, "LimitNOFILE")
      }
    }).pipe(Effect.scoped),
  60_000
)
