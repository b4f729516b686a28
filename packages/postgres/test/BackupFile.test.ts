import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, beforeEach, it } from "vitest"
import * as BackupFile from "../src/backup/BackupFile.ts"

let folder = ""
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "countersign-file-"))
  return () => rmSync(folder, { recursive: true, force: true })
})

async function* lines() {
  yield "one"
}

const failureOf = (run: Promise<unknown>) =>
  run.then(
    () => "",
    (error: Error) => error.message
  )

it("a backup never replaces a device", async () => {
  const device = join(folder, "device")
  symlinkSync("/dev/null", device)
  assert.include(await failureOf(BackupFile.write(lines(), device)), "is no file")
  assert.isTrue(lstatSync(device).isSymbolicLink())
  assert.isTrue(statSync("/dev/null").isCharacterDevice())
})

it("a backup through a symbolic link replaces the target and keeps the link", async () => {
  const [real, link] = [join(folder, "real"), join(folder, "link")]
  writeFileSync(real, "older")
  symlinkSync("real", link)
  await BackupFile.write(lines(), link)
  assert.isTrue(lstatSync(link).isSymbolicLink())
  assert.notInclude(readFileSync(real, "latin1"), "older")
})

it("a backup of a version before 1.0 or of a newer version is refused with the next step", () => {
  const refusal = (header: object) => {
    try {
      BackupFile.headerOf(JSON.stringify({ countersign: "backup", version: "2.0.0", migrations: [1], ...header }), [1])
      return ""
    } catch (error) {
      return (error as Error).message
    }
  }
  assert.strictEqual(refusal({ format: 2 }), "")
  assert.include(
    refusal({ format: 1, schema: 42 }),
    "before 1.0, whose tables later versions cannot read: restore it with"
  )
  assert.include(
    refusal({ format: 3 }),
    "a newer version (2.0.0, format 3; this version supports 2): restore it with that version"
  )
  assert.include(refusal({ format: 2, migrations: [1, 7] }), "tables 7; this version supports 1")
})
