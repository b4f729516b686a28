import type { Profiler } from "node:inspector"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { type LoadResult, run, type Source } from "./Load.ts"
import { Postgres } from "./Postgres.ts"
import { hooks, initiates, statuses, verifies } from "./Requests.ts"
import { type HookStarted, startService } from "./Service.ts"

const kinds = ["initiate", "status", "verify", "login", "hook"] as const
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    memory: { type: "boolean", default: false },
    connections: { type: "string", default: "256" },
    seconds: { type: "string", default: "5" },
    top: { type: "string", default: "40" }
  }
})
const kind = kinds.find((known) => known === positionals[0])
if (kind === undefined) {
  console.error(
    `usage: node bench/src/profile.ts ${kinds.join("|")} [--memory] [--connections 256] [--seconds 5] [--top 40]`
  )
  process.exit(2)
}

/** Whose code a function is. */
const ownerOf = ({ functionName, url }: Profiler.ProfileNode["callFrame"]): string => {
  const ours = /\/packages\/([a-z]+)\/(?:src|dist)\/(.+)$/.exec(url)
  if (ours !== null) return `@countersign/${ours[1]}`
  const library = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)
  if (library !== null) return library[1]!
  if (url.startsWith("node:")) return url.replace(/^node:(internal\/)?([a-z_]+).*$/, "node:$2")
  if (functionName.startsWith("(")) return functionName
  return url === "" ? "(native and generated)" : url
}

const nameOf = ({ functionName, lineNumber, url }: Profiler.ProfileNode["callFrame"]) => {
  const file = url.replace(/^.*\/(node_modules|packages)\//, "").replace(/^file:\/\//, "")
  return `${functionName === "" ? "(anonymous)" : functionName}  ${file}${url === "" ? "" : `:${lineNumber + 1}`}`
}

const sum = (totals: Map<string, number>, name: string, micros: number) =>
  totals.set(name, (totals.get(name) ?? 0) + micros)

/** Self time in microseconds, by owner and by function. Waiting is left out. */
const add = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile) => {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]))
  const owners = new Map<string, number>()
  const functions = new Map<string, number>()
  samples.forEach((id, i) => {
    const frame = byId.get(id)
    if (frame === undefined || frame.functionName === "(idle)") return
    const micros = timeDeltas[i + 1] ?? 0
    sum(owners, ownerOf(frame), micros)
    sum(functions, `${nameOf(frame)}\u0000${ownerOf(frame)}`, micros)
  })
  return { owners, functions }
}

/** Samples tell shares, also of a process that had to wait for a core; how long it all took is measured. */
const print = (title: string, totals: Map<string, number>, cpu: number, most: number) => {
  const all = [...totals.values()].reduce((a, b) => a + b, 0)
  console.log(`\n${title}, of ${cpu.toFixed(1)} µs a request`)
  for (const [name, micros] of [...totals].sort((a, b) => b[1] - a[1]).slice(0, most))
    console.log(
      `${((cpu * micros) / all).toFixed(2).padStart(8)} µs ${((100 * micros) / all).toFixed(1).padStart(5)} %  ${name.split("\u0000")[0]}`
    )
}

const postgres = values.memory ? undefined : await Postgres.start()
try {
  await postgres?.createDatabase("profile")
  const service = await startService({ url: postgres?.url("profile") })
  const load = (source: Source, seconds = Number(values.seconds)): Promise<LoadResult> =>
    run({
      port: service.port,
      connections: Number(values.connections),
      millis: 1000 * seconds,
      source,
      cpu: () => service.child.cpu()
    })
  const ids: Array<string> = []
  const remember = (id: string) => ids.push(id)
  await load(initiates(service, remember), 3)
  const known = [...ids]
  if (kind === "verify") {
    await load(initiates(service, remember))
    await load(verifies(service, ids.splice(0, 3000), true), 60)
  }
  if (kind === "status")
    await load(
      statuses(service, () => known[0]!),
      1
    )
  const hook = kind === "hook" ? hooks(await service.child.ask<HookStarted>("hook")) : undefined
  if (hook !== undefined) await load(hook, 1)
  await sleep(1000)

  await service.child.ask("profile")
  const measured: Array<LoadResult> = []
  if (hook !== undefined) measured.push(await load(hook))
  if (kind === "initiate") measured.push(await load(initiates(service)))
  if (kind === "status")
    measured.push(await load(statuses(service, () => known[Math.floor(Math.random() * known.length)]!)))
  if (kind === "verify") measured.push(await load(verifies(service, ids, true), 60))
  if (kind === "login") {
    const fresh: Array<string> = []
    measured.push(await load(initiates(service, (id) => fresh.push(id))))
    measured.push(await load(verifies(service, fresh, true), 60))
  }
  const { functions, owners } = add(await service.child.ask<Profiler.Profile>("profiled"))
  const cpu = measured.reduce((total, result) => total + result.cpu, 0)
  for (const { cpu, p50, p99, perSecond } of measured)
    console.log(
      `${Math.round(perSecond)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${cpu.toFixed(0)} µs CPU each, of which sampling is a part`
    )
  print("By package", owners, cpu, 20)
  print("By function", functions, cpu, Number(values.top))
  if (service.child.complaint !== undefined) throw new Error(service.child.complaint)
  await service.child.stop()
} finally {
  await postgres?.stop()
}
