import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, median, type Place } from "./Bench.ts"
import { quantile, type Source } from "./Load.ts"
import { hooks } from "./Requests.ts"
import { type HookStarted, startService } from "./Service.ts"
import type { Finding, Target } from "./Target.ts"
import { usage } from "./Usage.ts"

const whole = (value: number) => Math.round(value).toLocaleString("en")

const perSecond = 500
/** Enough that a request is sent when it is due, even while others wait. */
const connections = 128
const most = 256

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

/** The steady rate, shared by processes on one database. */
const steadily = async (bench: Bench, places: ReadonlyArray<Place>, source: Source) => {
  const cpuOfAll = async () => {
    const each = await Promise.all(places.map(({ service }) => service.child.cpu()))
    return each.reduce((sum, cpu) => sum + cpu, 0)
  }
  const sides = places.map((place) => ({ place, ...paced(source, perSecond / places.length) }))
  const [results, parts] = await usage(bench.postgres, cpuOfAll, () =>
    Promise.all(
      sides.map(({ place, source }) => bench.load({ place, connections: connections / sides.length, source }))
    )
  )
  const delays = Float64Array.from(sides.flatMap(({ delays }) => delays)).sort()
  const rate = results.reduce((sum, result) => sum + result.perSecond, 0)
  const cpu = results.reduce((sum, { cpu, requests }) => sum + cpu * requests, 0) / delays.length
  const [p50, p99] = [quantile(delays, 0.5), quantile(delays, 0.99)]
  const text =
    `${whole(rate)} a second over ${places.length === 1 ? "one process" : `${places.length} processes`}: ` +
    `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${cpu.toFixed(0)} µs CPU each` +
    (parts === null ? "" : `; ${parts}`)
  return { p99, text }
}

/** A sign-in system that makes its own codes, beside an app that lets this service make them. */
const measure = async (bench: Bench): Promise<Finding> => {
  const place = await bench.place("hooks")
  const source = hooks(await place.service.child.ask<HookStarted>("hook"))
  const second = { ...place, service: await startService({ url: bench.postgres.url("hooks") }) }
  for (const each of [place, second]) await bench.load({ place: each, connections: most, seconds: 2, source })
  const ratios: Array<number> = []
  const late: Array<number> = []
  const details: Array<string> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    await sleep(500)
    const initiate = await bench.initiate(place, most)
    await sleep(500)
    const hook = await bench.load({ place, connections: most, source })
    await sleep(500)
    const one = await steadily(bench, [place], source)
    await sleep(500)
    const two = await steadily(bench, [place, second], source)
    ratios.push(hook.cpu / initiate.cpu)
    late.push(one.p99)
    details.push(
      `${most} connections: ${whole(hook.perSecond)}/s, ${hook.cpu.toFixed(0)} µs CPU each; ` +
        `initiate ${whole(initiate.perSecond)}/s, ${initiate.cpu.toFixed(0)} µs`,
      one.text,
      two.text
    )
  }
  await second.service.child.stop()
  await bench.leave("hooks")
  return {
    figures: [
      { target: "S29", value: median(late), relation: "<=", bound: 50, unit: " ms" },
      { target: "S29", value: median(ratios), relation: "<=", bound: 1.5 }
    ],
    details
  }
}

export const hookTarget: Target = {
  name: "S29",
  what: `p99 of ${perSecond} requests of Supabase's hook a second, from when each was due; CPU of one ÷ of an initiate`,
  measure
}
