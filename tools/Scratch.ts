import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs"
import { freemem } from "node:os"
import { join } from "node:path"

/** Where Linux keeps files in memory. */
const memory = "/dev/shm"
/** A run leaves 1 GB there at most, most of it Postgres's. */
const room = 4 * 1024 ** 3
/** Then the run's process. */
const prefix = "countersign-tests-"

/** None where there is no such directory, and where what is written there may not be run. */
const roomIn = (directory: string): number => {
  try {
    const mount = readFileSync("/proc/mounts", "utf8")
      .split("\n")
      .find((line) => line.split(" ")[1] === directory)
    if (mount === undefined || /\bnoexec\b/.test(mount)) return 0
    const { bavail, bsize } = statfsSync(directory)
    return Math.min(bavail * bsize, freemem())
  } catch {
    return 0
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/** A run that was killed could not remove its own. */
const removeLeftOvers = () => {
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length)) : Number.NaN
    if (pid > 0 && !isRunning(pid)) rmSync(join(memory, name), { recursive: true, force: true })
  }
}

/**
 * Keeps the run's temporary files in memory if there is room, unless TMPDIR says where they go. A database is a thousand
 * small files, and a disk's file system takes 0.2 ms of a processor to make one: five times as long as memory.
 */
export default function setup() {
  if (process.env["TMPDIR"] !== undefined || roomIn(memory) < room) return
  removeLeftOvers()
  const directory = mkdtempSync(join(memory, `${prefix}${process.pid}-`))
  chmodSync(directory, 0o755) // as root Postgres runs as the user `postgres`, which must get in
  process.env["TMPDIR"] = directory
  return () => {
    delete process.env["TMPDIR"]
    rmSync(directory, { recursive: true, force: true })
  }
}
