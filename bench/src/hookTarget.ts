import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, median, type Place } from "./Bench.ts"
import { quantile, type Source } from "./Load.ts"
import { hooks } from "./Requests.ts"
import { type HookStarted, startService } from "./Service.ts"
import type { Finding, Target } from "./Target.ts"
import { usage } from "./Usage.ts"

const whole = (value: number) => Math.round(value).toLocaleString("en")

const perSecond = 500
/** Microseconds of CPU that an echo took where the targets were set. */
const echoThere = 19.5
/** Enough that a request is sent when it is due, even while others wait. */
const connections = 128
const most = 256
/** Seconds until a new process has compiled its code, at the rate that is measured. */
const warming = 30
/** Segments of 16 MB: more than a run fills. */
const segments = 80

/** Sends a request when it is due, not when an earlier one was answered. Delays count from when it was due. */
const paced = (source: Source, rate: number): { readonly source: Source; readonly delays: Array<number> } => {
  const delays: Array<number> = []
  const due = new Array<number>()
  const began = performance.now()
  let asked = 0
  return {
    delays,
    source: {
      next: async (connection) => {
        const at = began + (1000 * asked++) / rate
        due[connection] = at
        const wait = at - performance.now()
        if (wait > 0) await sleep(wait)
        return source.next(connection) as string
      },
      answered: (body, connection, milliseconds) => {
        delays.push(performance.now() - due[connection]!)
        return source.answered?.(body, connection, milliseconds)
      }
    }
  }
}

/** A steady rate, shared by processes on one database. The connections stay open, also between the rounds. */
const steadily = async (bench: Bench, places: ReadonlyArray<Place>, source: Source, rate: number) => {
  const { rounds, seconds } = bench.options
  const cpuOfAll = async () => {
    const each = await Promise.all(places.map(({ service }) => service.child.cpu()))
    return each.reduce((sum, cpu) => sum + cpu, 0)
  }
  const sides = places.map((place) => ({ place, ...paced(source, rate / places.length) }))
  const each = Math.ceil(Math.min(connections, rate) / places.length)
  const loading = Promise.all(
    sides.map(({ place, source }) =>
      bench.load({ place, connections: each, seconds: warming + rounds * (seconds + 1), source })
    )
  )
  const pass = (seconds: number) => Promise.race([loading, sleep(1000 * seconds)])
  await pass(warming)
  const late: Array<number> = []
  const details: Array<string> = []
  for (let round = 0; round < rounds; round++) {
    // Reading what everything has used delays requests too, so it is kept out of the delays.
    const [{ cpu, delays }, parts] = await usage(bench.postgres, cpuOfAll, async () => {
      await sleep(100)
      const cpuBefore = await cpuOfAll()
      for (const { delays } of sides) delays.length = 0
      await pass(seconds)
      const all = sides.flatMap(({ delays }) => delays)
      return { cpu: (await cpuOfAll()) - cpuBefore, delays: Float64Array.from(all).sort() }
    })
    const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)]
    late.push(p99)
    details.push(
      `${whole(rate)} a second over ${places.length === 1 ? "one process" : `${places.length} processes`}: ` +
        `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
        `${whole(cpu / delays.length)} µs CPU each${parts === null ? "" : `; ${parts}`}`
    )
  }
  await loading
  return { p99: median(late), details }
}

/** A sign-in system that makes its own codes, beside an app that lets this service make them. */
const measure = async (bench: Bench): Promise<Finding> => {
  await bench.postgres.fillWal(segments)
  const place = await bench.place("hooks")
  const source = hooks(await place.service.child.ask<HookStarted>("hook"))
  await bench.load({ place, connections: most, seconds: 2, source })
  const ratios: Array<number> = []
  const details: Array<string> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    await sleep(500)
    const initiate = await bench.untilSent(place, () => bench.initiate(place, most))
    await sleep(500)
    const hook = await bench.untilSent(place, () => bench.load({ place, connections: most, source }))
    ratios.push(hook.cpu / initiate.cpu)
    const text = ({ cpu, perSecond, waited }: typeof hook) =>
      `${whole(perSecond)}/s, ${whole(cpu)} µs CPU each with its message; ${whole(100 * waited)} % of them sent afterwards`
    details.push(`${most} connections: ${text(hook)}; initiate ${text(initiate)}`)
  }
  const echo = await bench.echo(most)
  const inProportion = Math.min(perSecond, Math.round((perSecond * echoThere) / echo.cpu))
  details.push(
    `An echo takes ${whole(echo.cpu)} µs CPU, and ${echoThere} where the targets were set: ` +
      `${whole(inProportion)} a second here are what ${perSecond} are there`
  )
  const alike = await steadily(bench, [place], source, inProportion)
  const one = await steadily(bench, [place], source, perSecond)
  const second = { ...place, service: await startService({ url: bench.postgres.url("hooks") }) }
  const two = await steadily(bench, [place, second], source, perSecond)
  await second.service.child.stop()
  await bench.leave("hooks")
  return {
    figures: [
      { target: "S29", value: one.p99, relation: "<=", bound: 50, unit: " ms" },
      { target: `S29 at ${whole(inProportion)} a second`, value: alike.p99, relation: "<=", bound: 50, unit: " ms" },
      { target: "S29", value: median(ratios), relation: "<=", bound: 1.5 }
    ],
    details: [...details, ...alike.details, ...one.details, ...two.details]
  }
}

export const hookTarget: Target = {
  name: "S29",
  what:
    `p99 of ${perSecond} requests of Supabase's hook a second, from when each was due, and of a rate in proportion to ` +
    "the machine; CPU of one ÷ of an initiate",
  measure
}
