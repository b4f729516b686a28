import { readdir, readFile } from "node:fs/promises"
import type { Postgres } from "./Postgres.ts"

/** Seconds of CPU time that each part has used so far. */
interface Used {
  readonly at: number
  readonly service: number
  readonly postgres: number
  readonly generator: number
  readonly machine: number
}

/** What Linux counts CPU time in, a hundred times a second. */
const ticks = 100

const numbers = (text: string) => text.trim().split(/\s+/).map(Number)

const read = (path: string) => readFile(path, "latin1").catch(() => "")

/** The CPU time of a process and of its children that have ended, and its parent. */
const processOf = async (pid: string) => {
  const stat = await read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number)
  return { parent: fields[1], own: (user + system) / ticks, ended: (childUser + childSystem) / ticks }
}

/** The server's own process, its backends and its background processes. */
const ofPostgres = async (postmaster: string): Promise<number> => {
  const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^[0-9]+$/.test(name))
  const processes = await Promise.all(pids.map(async (pid) => ({ pid, ...(await processOf(pid)) })))
  return processes
    .filter(({ parent, pid }) => parent === postmaster || pid === postmaster)
    .reduce((sum, { ended, own, pid }) => sum + own + (pid === postmaster ? ended : 0), 0)
}

const ofMachine = async (): Promise<number> => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = numbers(
    (await read("/proc/stat")).split("\n")[0]!.replace("cpu", "")
  )
  return (user + nice + system + irq + softirq + steal) / ticks
}

/**
 * Measures who uses the cores while something runs: a rate is the service's own only if a core was left for it. Null
 * where there is no `/proc`.
 */
export const usage = async <A>(
  postgres: Postgres,
  cpu: () => Promise<number>,
  run: () => Promise<A>
): Promise<readonly [A, string | null]> => {
  const postmaster = await postgres.pid()
  const now = async (): Promise<Used> => {
    const { system, user } = process.cpuUsage()
    const [service, database, machine] = await Promise.all([cpu(), ofPostgres(postmaster), ofMachine()])
    return {
      at: performance.now() / 1000,
      service: service / 1e6,
      postgres: database,
      generator: (system + user) / 1e6,
      machine
    }
  }
  const before = await now()
  const result = await run()
  const after = await now()
  if (after.machine === 0) return [result, null]
  const share = (part: Exclude<keyof Used, "at">) => (after[part] - before[part]) / (after.at - before.at)
  const parts = (["service", "postgres", "generator"] as const).map((part) => `${part} ${share(part).toFixed(2)}`)
  const others = share("machine") - share("service") - share("postgres") - share("generator")
  return [result, `${parts.join(", ")}, all others ${Math.max(0, others).toFixed(2)} of a core`]
}
