import { cp, mkdir, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { stripVTControlCharacters } from "node:util"
import { buildPage } from "./buildPage.ts"
import { fingerprint, page, printOf } from "./sources.ts"

const folder = dirname(page)
const lock = join(folder, "building")

/** A build takes seconds. A lock that is older is of one that was killed. */
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
  // Made, and not written to yet.
  if (pid === 0) return age < 1_000
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** One process builds at a time. Of many that begin at once, all but the first find the page there afterwards. */
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

/** Builds beside the page that is there, and puts it in its place when it is whole. */
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
 * `node packages/dashboard/build/main.ts`: builds the page if it is not there or not of these sources.
 * With a folder, what is served of it is copied there: a package or a container then needs none of its sources.
 */
const run = async (into: string | undefined): Promise<void> => {
  await locked(refresh)
  if (into === undefined) return
  await rm(into, { recursive: true, force: true })
  await cp(page, into, { recursive: true, filter: (path) => !path.slice(page.length).includes("/.") })
}

// A server keeps its own files to itself; these are everybody's, and another user may serve them from a container.
process.umask(0o022)
await run(process.argv[2]).catch((error: unknown) => {
  // What is wrong with the sources, for a terminal and for a page alike, and not where Vite noticed it.
  console.error(stripVTControlCharacters(error instanceof Error ? error.message : String(error)))
  process.exitCode = 1
})
