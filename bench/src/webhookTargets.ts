import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, median, type Place } from "./Bench.ts"
import type { LoadResult } from "./Load.ts"
import { Receiver } from "./Receiver.ts"
import type { Finding, Target } from "./Target.ts"

const whole = (value: number) => Math.round(value).toLocaleString("en")
const most = 256
const few = 4

/** A new endpoint is told of its first seconds once more after this time. That is not what is measured here. */
const settling = 11_000

const quantile = (values: ReadonlyArray<number>, q: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * q)] ?? Number.NaN

/** Until nothing waits to be told. Answers how long that took. */
const drained = async (bench: Bench, { database }: Place): Promise<number> => {
  const began = performance.now()
  for (;;) {
    const [row] = await bench.postgres.query(database, "select count(*)::int as n from job where kind = 'webhook'")
    if (row?.["n"] === 0) return (performance.now() - began) / 1000
    await sleep(200)
  }
}

/** How many webhooks a second arrive while people are being verified, and how late. */
const deliveries = async (bench: Bench): Promise<Finding> => {
  const receiver = await Receiver.start()
  const place = await bench.place("told", { webhooks: receiver.urls(1) })
  await sleep(settling)
  const details: Array<string> = []
  const ratios: Array<number> = []
  const delays: Array<number> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    await drained(bench, place)
    await receiver.delays()
    const calm = await bench.initiate(place, few)
    await drained(bench, place)
    const late = await receiver.delays()
    delays.push(...late)
    details.push(
      `${few} connections: ${whole(calm.perSecond)} initiates/s; ${whole(late.length)} webhooks, ` +
        `p50 ${quantile(late, 0.5)} ms, p99 ${quantile(late, 0.99)} ms after their event`
    )
    const loaded = await bench.initiate(place, most)
    const meanwhile = await receiver.received()
    const waited = await drained(bench, place)
    const all = (await receiver.delays()).length
    const caughtUp = (all - meanwhile) / Math.max(waited, 0.2)
    ratios.push(caughtUp / loaded.perSecond)
    details.push(
      `${most} connections: ${whole(loaded.perSecond)} initiates/s beside ${whole(meanwhile / loaded.seconds)} webhooks/s; ` +
        `the other ${whole(all - meanwhile)} within ${waited.toFixed(1)} s, ${whole(caughtUp)}/s`
    )
  }
  await bench.leave("told")
  await receiver.child.stop()
  return {
    figures: [
      { target: "S17", value: quantile(delays, 0.99), relation: "<=", bound: 16, unit: " ms" },
      { target: "S17", value: median(ratios), relation: ">=", bound: 0.8 }
    ],
    details
  }
}

/** What it costs an initiate that somebody is told of it. */
const hotPath = async (bench: Bench): Promise<Finding> => {
  const receiver = await Receiver.start()
  const counts = [0, 1, 3]
  const places: Array<Place> = []
  for (const count of counts) {
    places.push(await bench.place(`told_${count}`, { webhooks: receiver.urls(count) }))
  }
  await sleep(settling)
  for (const place of places) await bench.initiate(place, most, 2)
  const rounds: Array<ReadonlyArray<LoadResult>> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    const results: Array<LoadResult> = []
    for (const place of places) {
      for (const each of places) await drained(bench, each)
      await sleep(300)
      results.push(await bench.initiate(place, most))
    }
    rounds.push(results)
  }
  for (const { database } of places) await bench.leave(database)
  await receiver.child.stop()
  const ratio = (at: number) => median(rounds.map((results) => results[at]!.perSecond / results[0]!.perSecond))
  return {
    figures: [
      { target: "S18", value: ratio(1), relation: ">=", bound: 0.8 },
      { target: "S18", value: ratio(2), relation: ">=", bound: 0.25 }
    ],
    details: rounds.map((results) =>
      results
        .map(
          ({ cpu, p99, perSecond }, at) =>
            `${counts[at]} endpoints ${whole(perSecond)}/s, p99 ${p99.toFixed(1)} ms, ${cpu.toFixed(0)} µs CPU`
        )
        .join("; ")
    )
  }
}

export const webhookTargets: ReadonlyArray<Target> = [
  {
    name: "S17",
    what: "webhooks: p99 of the delay after their event, 4 connections; what waited a second ÷ initiates, 256 connections",
    measure: deliveries
  },
  {
    name: "S18",
    what: "initiate with one endpoint, then with three ÷ with none, 256 connections",
    measure: hotPath
  }
]
