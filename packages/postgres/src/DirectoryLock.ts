import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { join, resolve } from "node:path"
import { Effect, type Scope } from "effect"
import { DirectoryInUse, EmbeddedUnavailable, StorageStartError } from "./StorageStartError.ts"

const fileName = "countersign.lock"

/** The directories this process has open: its own id in a lock file may also be a predecessor's. */
const open = new Set<string>()

interface Owner {
  readonly pid: number
  readonly host: string
}

const parse = (text: string): Owner | undefined => {
  const [, pid, host] = /^([0-9]+) (.+)\n$/.exec(text) ?? []
  return pid === undefined || host === undefined ? undefined : { pid: Number(pid), host }
}

const codeOf = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) !== "ESRCH"
  }
}

/** A file nobody finished writing is a predecessor's that died; one from another host is not ours to judge. */
const isStale = (owner: Owner | undefined): boolean => {
  if (owner === undefined) return true
  if (owner.host !== hostname()) return false
  return owner.pid === process.pid || !isRunning(owner.pid)
}

const write = (path: string): boolean => {
  try {
    writeFileSync(path, `${process.pid} ${hostname()}\n`, { flag: "wx" })
    return true
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false
    throw error
  }
}

const take = (directory: string): StorageStartError | undefined => {
  const inUse = (owner: string) => new StorageStartError({ reason: new DirectoryInUse({ directory, owner }) })
  if (open.has(directory)) return inUse("this process")
  mkdirSync(directory, { recursive: true })
  const path = join(directory, fileName)
  while (!write(path)) {
    const text = readFileSync(path, "utf8")
    const owner = parse(text)
    if (!isStale(owner)) return inUse(`process ${owner!.pid} on ${owner!.host} (see ${path})`)
    if (readFileSync(path, "utf8") === text) rmSync(path, { force: true })
  }
  open.add(directory)
  return undefined
}

/**
 * Takes a directory for this process until the scope closes, because nothing in an embedded database keeps a second
 * process from opening it. The lock of a process that is gone is taken over.
 */
export const directoryLock = (path: string): Effect.Effect<string, StorageStartError, Scope.Scope> => {
  const directory = resolve(path)
  return Effect.acquireRelease(
    Effect.try({
      try: () => take(directory),
      catch: (cause) =>
        new StorageStartError({ reason: new EmbeddedUnavailable({ problem: `${directory} cannot be used`, cause }) })
    }).pipe(Effect.flatMap((refusal) => (refusal === undefined ? Effect.succeed(directory) : Effect.fail(refusal)))),
    () =>
      Effect.sync(() => {
        open.delete(directory)
        rmSync(join(directory, fileName), { force: true })
      })
  )
}
