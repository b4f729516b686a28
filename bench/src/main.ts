import { mkdirSync, writeFileSync } from "node:fs"
import { cpus, loadavg } from "node:os"
import { parseArgs } from "node:util"
import { Bench } from "./Bench.ts"
import { Postgres } from "./Postgres.ts"
import { type Figure, line } from "./Target.ts"
import { targets } from "./targets.ts"

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: "string", default: "1000000" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "5" }
  }
})
const number = (name: keyof typeof values) => {
  const value = Number(values[name])
  if (Number.isFinite(value) && value > 0) return value
  console.error(`--${name} takes a number above 0`)
  process.exit(2)
}
const options = { rows: number("rows"), rounds: number("rounds"), seconds: Math.min(10, number("seconds")) }
const unknown = positionals.filter((name) => !targets.some((target) => target.name === name))
if (unknown.length > 0) {
  console.error(`No such target: ${unknown.join(", ")}. There are: ${targets.map(({ name }) => name).join(", ")}.`)
  process.exit(2)
}
const chosen = targets.filter(({ name, onlyByName = false }) =>
  positionals.length === 0 ? !onlyByName : positionals.includes(name)
)
for (const { prepare } of chosen) {
  try {
    prepare?.()
  } catch (error) {
    console.error((error as Error).message)
    process.exit(1)
  }
}

const postgres = await Postgres.start()
const bench = new Bench(postgres, options)
const stop = async () => {
  await bench.stop()
  await postgres.stop()
}
let interrupted = false
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    interrupted = true
    void stop().finally(() => process.exit(130))
  })

const figures: Array<Figure> = []
const report: Array<string> = []
const say = (text: string) => {
  console.log(text)
  report.push(text)
}

say(
  `Node ${process.versions.node}, Postgres ${postgres.version} with fsync on, ${cpus().length} cores, ` +
    `load ${loadavg()[0]!.toFixed(2)} before; ${options.rounds} rounds of ${options.seconds} s`
)
if (!bench.hasCeiling) say("pgbench is not on this machine: what is measured against it is left out")
try {
  for (const { measure, name, needsCeiling, what } of chosen) {
    if (needsCeiling === true && !bench.hasCeiling) continue
    say(`\n${name}: ${what}`)
    const finding = await measure(bench)
    for (const detail of finding.details) say(`  ${detail}`)
    figures.push(...finding.figures)
  }
} catch (error) {
  if (!interrupted) console.error(error)
  process.exitCode = 1
} finally {
  if (!interrupted) await stop()
}
if (figures.length > 0) console.log(`\n${figures.map(line).join("\n")}`)

const results = new URL("../results/", import.meta.url)
mkdirSync(results, { recursive: true })
writeFileSync(
  new URL(`${new Date().toISOString().replaceAll(":", "-").slice(0, 19)}.json`, results),
  `${JSON.stringify({ options, figures, report }, null, 2)}\n`
)
