import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, median } from "./Bench.ts"
import { quantile, type Source } from "./Load.ts"
import { hooks } from "./Requests.ts"
import type { HookStarted } from "./Service.ts"
import type { Finding, Target } from "./Target.ts"

const whole = (value: number) => Math.round(value).toLocaleString("en")

const perSecond = 500
/** Enough that a request is sent when it is due, even while others wait. */
const connections = 128
const most = 256

/** Sends a request when it is due, not when an earlier one was answered. Delays count from when it was due. */
const paced = (source: Source): { readonly source: Source; readonly delays: Array<number> } => {
  const delays: Array<number> = []
  const due = new Array<number>()
  const began = performance.now()
  let asked = 0
  return {
    delays,
    source: {
      next: async (connection) => {
        const at = began + (1000 * asked++) / perSecond
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

/** A sign-in system that makes its own codes, beside an app that lets this service make them. */
const measure = async (bench: Bench): Promise<Finding> => {
  const place = await bench.place("hooks")
  const source = hooks(await place.service.child.ask<HookStarted>("hook"))
  await bench.load({ place, connections: most, seconds: 2, source })
  const ratios: Array<number> = []
  const late: Array<number> = []
  const details: Array<string> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    await sleep(500)
    const initiate = await bench.initiate(place, most)
    await sleep(500)
    const hook = await bench.load({ place, connections: most, source })
    await sleep(500)
    const { delays, source: steady } = paced(source)
    const even = await bench.load({ place, connections, source: steady })
    const sorted = Float64Array.from(delays).sort()
    ratios.push(hook.cpu / initiate.cpu)
    late.push(quantile(sorted, 0.99))
    details.push(
      `${most} connections: ${whole(hook.perSecond)}/s, ${hook.cpu.toFixed(0)} µs CPU each; ` +
        `initiate ${whole(initiate.perSecond)}/s, ${initiate.cpu.toFixed(0)} µs; ` +
        `${whole(even.perSecond)} a second: p50 ${quantile(sorted, 0.5).toFixed(1)} ms, ` +
        `p99 ${quantile(sorted, 0.99).toFixed(1)} ms, ${even.cpu.toFixed(0)} µs CPU each`
    )
  }
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
