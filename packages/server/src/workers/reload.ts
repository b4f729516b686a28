import { readdirSync, readFileSync, readlinkSync, realpathSync } from "node:fs"
import { isSea } from "node:sea"
import { resolve } from "node:path"
import { Schema } from "effect"

/** A process that runs `countersign serve`. */
export interface Server {
  readonly pid: number
  readonly parent: number
}

/** No process was signalled; `why` has the reason. */
export class CannotReload extends Schema.TaggedError<CannotReload>()("CannotReload", { why: Schema.String }) {
  override get message(): string {
    return this.why
  }
}

/**
 * The process to signal: the parent of the workers. A worker is recognised by a parent that also runs the program. A
 * server without workers is refused, because SIGHUP would end it.
 */
export const parentToReload = (servers: ReadonlyArray<Server>, wanted: number | null): number | CannotReload => {
  const refuse = (why: string) => new CannotReload({ why })
  const isWorker = ({ parent }: Server) => servers.some(({ pid }) => pid === parent)
  const parents = servers.filter((server) => !isWorker(server))
  const hasWorkers = ({ pid }: Server) => servers.some(({ parent }) => parent === pid)
  if (parents.length === 0)
    return refuse("No running countersign serve found: start one, or run this command as its user")
  const chosen = wanted === null ? parents : servers.filter(({ pid }) => pid === wanted)
  const [server] = chosen
  if (server === undefined) {
    return refuse(
      `Process ${String(wanted)} is not a countersign serve. Running servers: ${parents.map(({ pid }) => pid).join(", ")}`
    )
  }
  if (chosen.length > 1) {
    return refuse(`Several servers are running: choose one with --pid: ${chosen.map(({ pid }) => pid).join(", ")}`)
  }
  if (isWorker(server)) return server.parent
  return hasWorkers(server)
    ? server.pid
    : refuse("This server has no workers to replace: restart it, or start it with WORKERS=1 or more")
}

/** The kernel adds this to the path of a file that was replaced. */
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
    // The second field is the name in brackets, which may contain spaces.
    const [, parent = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return { pid: Number(pid), parent: Number(parent) }
  } catch {
    // The process has ended, or belongs to another user.
    return null
  }
}

/** Every process on this machine that runs `countersign serve`, from Linux's process list. */
export const runningServers = (): ReadonlyArray<Server> | CannotReload => {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? (readServer(name) ?? []) : []))
  } catch {
    return new CannotReload({
      why: "Cannot list processes: /proc exists only on Linux. Send SIGHUP to the parent process yourself"
    })
  }
}
