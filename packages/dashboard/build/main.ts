import { cp, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { stripVTControlCharacters } from "node:util"
import { buildPage } from "./buildPage.ts"
import { fingerprint, page, printOf } from "./sources.ts"

const folder = dirname(page)
const lock = join(folder, "building")

/** A build takes seconds. An older lock belongs to a process that was killed. */
const longest = 60_000

const isHeld = async (): Promise<boolean> => {
  const pid = Number(await readFile(lock, "utf8").catch(() => ""))
  const age =
    Date.now() -
    (await stat(lock).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0
    ))
  if (age > longest) return false
  // The lock file exists but is still empty.
  if (pid === 0) return age < 1_000
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Only one process builds at a time. When several start together, the others then find a finished page. */
const locked = async (work: () => Promise<void>): Promise<void> => {
  await mkdir(folder, { recursive: true })
  for (;;) {
    try {
      const file = await open(lock, "wx")
      await file.writeFile(String(process.pid))
      await file.close()
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
      if (await isHeld()) await sleep(50)
      else await rm(lock, { force: true })
    }
  }
  try {
    await work()
  } finally {
    await rm(lock, { force: true })
  }
}

/** Builds into a temporary folder and replaces the page only when the build is complete. */
const refresh = async (): Promise<void> => {
  const print = await fingerprint()
  if ((await readFile(printOf(page), "utf8").catch(() => null)) === print) return
  const fresh = join(folder, "fresh")
  const old = join(folder, "old")
  await buildPage(fresh)
  await writeFile(printOf(fresh), print)
  await rm(old, { recursive: true, force: true })
  await rename(page, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
  })
  await rename(fresh, page)
  await rm(old, { recursive: true, force: true })
}

/**
 * `node packages/dashboard/build/main.ts` builds the page if it is missing or outdated. With a folder argument, it
 * also copies the served files there, so that a package or a container needs no sources.
 */
const run = async (into: string | undefined): Promise<void> => {
  await locked(refresh)
  if (into === undefined) return
  await rm(into, { recursive: true, force: true })
  await cp(page, into, { recursive: true, filter: (path) => !path.slice(page.length).includes("/.") })
}

// The page is public, and a container may serve it as another user, so make it readable for everyone.
process.umask(0o022)
await run(process.argv[2]).catch((error: unknown) => {
  // Shows the error in the source, for terminal and browser alike, without Vite's own stack trace.
  console.error(stripVTControlCharacters(error instanceof Error ? error.message : String(error)))
  process.exitCode = 1
})
