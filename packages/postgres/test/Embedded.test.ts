import { changeOf, Subject, VerificationStore } from "@countersign/core"
import { StorageTest } from "@countersign/testkit"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import { directoryLock } from "../src/DirectoryLock.ts"
import { PgStorage } from "../src/index.ts"

StorageTest.suite("embedded, in memory", PgStorage.layerEmbedded())

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-embedded-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const person = Subject.empty("env", "919876543210")

it.live(
  "what was committed is there after a restart, and a directory is opened once at a time",
  () =>
    Effect.gen(function* () {
      const directory = join(yield* temporary, "made", "on demand")
      const open = Effect.map(Layer.build(PgStorage.layerEmbedded({ directory })), Context.get(VerificationStore))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const store = yield* open
          yield* store.commit(
            changeOf({ ...person, guesses: { ...person.guesses, SDK: { failures: 3, failedAt: 5 } } }, null, {
              orderId: "order"
            })
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
      const store = yield* open
      assert.deepStrictEqual(yield* store.subject("env", person.canonical), {
        ...person,
        guesses: { ...person.guesses, SDK: { failures: 3, failedAt: 5 } },
        version: 1
      })
    }).pipe(Effect.scoped),
  60_000
)

const lockFile = "countersign.lock"
const refused = (directory: string) =>
  Effect.map(Effect.flip(Effect.scoped(directoryLock(directory))), ({ reason }) => reason)

it.effect("a lock names its owner and goes with it", () =>
  Effect.gen(function* () {
    const directory = yield* temporary
    yield* Effect.scoped(
      Effect.gen(function* () {
        yield* directoryLock(directory)
        assert.strictEqual(readFileSync(join(directory, lockFile), "utf8"), `${process.pid} ${hostname()}\n`)
        assert.strictEqual((yield* refused(directory))._tag, "DirectoryInUse")
      })
    )
    assert.throws(() => readFileSync(join(directory, lockFile)))
    yield* Effect.scoped(directoryLock(directory))
  })
)

it.effect("the lock of a process that is gone is taken over, that of a living one never", () =>
  Effect.gen(function* () {
    const directory = yield* temporary
    const lockedBy = (text: string) => writeFileSync(join(directory, lockFile), text)
    // Nothing has this number: it is above what any system gives out.
    for (const gone of [`999999999 ${hostname()}\n`, `${process.pid} ${hostname()}\n`, "", "half a li"]) {
      lockedBy(gone)
      yield* Effect.scoped(directoryLock(directory))
    }
    lockedBy(`${process.ppid} ${hostname()}\n`)
    assert.strictEqual((yield* refused(directory))._tag, "DirectoryInUse")
    lockedBy("1 another-machine\n")
    assert.strictEqual((yield* refused(directory))._tag, "DirectoryInUse")
    assert.strictEqual(readFileSync(join(directory, lockFile), "utf8"), "1 another-machine\n")
  })
)

it.effect("a place that cannot be a directory is refused with a reason", () =>
  Effect.gen(function* () {
    const file = join(yield* temporary, "file")
    writeFileSync(file, "")
    assert.strictEqual((yield* refused(join(file, "below")))._tag, "EmbeddedUnavailable")
  })
)
