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

it("a device is not replaced by a backup", async () => {
  const device = join(folder, "device")
  symlinkSync("/dev/null", device)
  assert.include(await failureOf(BackupFile.write(lines(), device)), "is no file")
  assert.isTrue(lstatSync(device).isSymbolicLink())
  assert.isTrue(statSync("/dev/null").isCharacterDevice())
})

it("a link to the newest backup stays a link", async () => {
  const [real, link] = [join(folder, "real"), join(folder, "link")]
  writeFileSync(real, "older")
  symlinkSync("real", link)
  await BackupFile.write(lines(), link)
  assert.isTrue(lstatSync(link).isSymbolicLink())
  assert.notInclude(readFileSync(real, "latin1"), "older")
})
