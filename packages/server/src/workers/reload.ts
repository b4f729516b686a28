import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs"
import { isSea } from "node:sea"
import { resolve } from "node:path"
import { Schema } from "effect"

/** A process that serves with this program. */
export interface Server {
  readonly pid: number
  readonly parent: number
}

/** Nothing was told to reload, and why. */
export class CannotReload extends Schema.TaggedError<CannotReload>()("CannotReload", { why: Schema.String }) {
  override get message(): string {
    return this.why
  }
}

/**
 * The process to signal: the parent of a group of workers. A worker has a parent that serves, too; a server without
 * workers has no worker below it, and SIGHUP would end it.
 */
export const parentToReload = (servers: ReadonlyArray<Server>, wanted: number | null): number | CannotReload => {
  const refuse = (why: string) => new CannotReload({ why })
  const isWorker = ({ parent }: Server) => servers.some(({ pid }) => pid === parent)
  const parents = servers.filter((server) => !isWorker(server))
  const hasWorkers = ({ pid }: Server) => servers.some(({ parent }) => parent === pid)
  if (parents.length === 0) return refuse("No countersign serve runs here, or it belongs to another user")
  const chosen = wanted === null ? parents : servers.filter(({ pid }) => pid === wanted)
  const [server] = chosen
  if (server === undefined) {
    return refuse(`Process ${String(wanted)} is no countersign serve: ${parents.map(({ pid }) => pid).join(", ")} is`)
  }
  if (chosen.length > 1) {
    return refuse(`Several servers run here: choose one with --pid, of ${chosen.map(({ pid }) => pid).join(", ")}`)
  }
  if (isWorker(server)) return server.parent
  return hasWorkers(server)
    ? server.pid
    : refuse("This server has no workers that could be replaced: restart it, or start it with WORKERS=1 or more")
}

/** The kernel says so of a file that was replaced since. */
const replaced = / \(deleted\)$/

const isSameProgram = (pid: string, words: ReadonlyArray<string>): boolean => {
  if (isSea()) return readlinkSync(`/proc/${pid}/exe`).replace(replaced, "") === process.execPath
  const own = realpathSync(process.argv[1] ?? "")
  const directory = readlinkSync(`/proc/${pid}/cwd`)
  return words.slice(0, 8).some((word) => word !== "" && resolve(directory, word) === own)
}

const readServer = (pid: string): Server | null => {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0")
    if (!words.includes("serve") || !isSameProgram(pid, words)) return null
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The second field is the name in brackets, which may hold blanks.
    const [, parent = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return { pid: Number(pid), parent: Number(parent) }
  } catch {
    // It ended meanwhile, or belongs to another user.
    return null
  }
}

/** Every process of this machine that serves with this program, from Linux's list of processes. */
export const runningServers = (): ReadonlyArray<Server> | CannotReload => {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readServer(name) ?? []) : []))
  } catch {
    return new CannotReload({ why: "Only Linux lists processes in /proc: send SIGHUP to the parent of the workers" })
  }
}
