import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { because } from "../src/backup/BackupError.ts"
import { privateDirectory } from "../src/PrivateDirectory.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "countersign-unusable-"))),
  (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
)

const problemOf = (path: string) => Effect.map(Effect.flip(privateDirectory(path)), ({ message }) => message)

it.effect.skipIf(process.platform !== "linux")(
  "a data directory that cannot be created is refused immediately with a reason",
  () =>
    Effect.gen(function* () {
      for (const path of ["/proc/countersign", "/proc/countersign/deep/in/it"])
        assert.include(yield* problemOf(path), "/proc/countersign cannot be created: no directory can be created there")
      const folder = yield* temporary
      yield* privateDirectory(join(folder, "a", "b", "c"))
      assert.isTrue(existsSync(join(folder, "a", "b", "c")))
      if (process.getuid?.() === 0) return
      chmodSync(folder, 0o500)
      assert.include(yield* problemOf(join(folder, "d")), "cannot be created: this user lacks permission. Create it")
    }).pipe(Effect.scoped)
)

it("a backup that cannot be written names the path", () => {
  const failure = Object.assign(new Error(), { code: "ENOENT", path: "/no/such/folder/a.backup" })
  assert.strictEqual(
    because("The backup failed")(failure).message,
    "The backup failed: the file or directory does not exist: /no/such/folder/a.backup"
  )
})
