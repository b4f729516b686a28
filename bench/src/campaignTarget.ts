import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, median, type Place } from "./Bench.ts"
import { initiates, once } from "./Requests.ts"
import type { Finding, Target } from "./Target.ts"

/** So many people a second ask for a code: few enough for the slower provider together with its campaign. */
const codes = 40

/** What a provider allows; with nothing, a campaign goes at 50 a second. */
const paces = { "no pace": {}, "a pace of 200": { perSecond: 200 } } as const

const p99 = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0

/** Milliseconds from each verification to its message at the provider. */
const delays = ({ service }: Place) => service.child.ask<ReadonlyArray<number>>("delays")

const asked = async (bench: Bench, place: Place): Promise<ReadonlyArray<number>> => {
  const source = initiates(place.service)
  const answers: Array<Promise<string>> = []
  const began = performance.now()
  for (let i = 0; i < codes * bench.options.seconds; i++) {
    await sleep(Math.max(0, began + (i * 1000) / codes - performance.now()))
    answers.push(once(place.service.port, source))
  }
  await Promise.all(answers)
  await sleep(1000)
  return delays(place)
}

const measure = async (bench: Bench): Promise<Finding> => {
  let worst = 0
  const details: Array<string> = []
  for (const [name, limits] of Object.entries(paces)) {
    const database = `campaign${"perSecond" in limits ? limits.perSecond : ""}`
    const place = await bench.place(database, { provider: limits })
    // The codes of the first seconds have gone when none comes any more.
    while ((await delays(place)).length > 0) await sleep(1000)
    const rate = "perSecond" in limits ? limits.perSecond / 2 : 50
    const rounds: Array<{ readonly calm: number; readonly beside: number }> = []
    for (let round = 0; round < bench.options.rounds; round++) {
      const calm = p99(await asked(bench, place))
      const before = await place.service.child.ask<number>("sent")
      const people = Math.ceil(rate * (bench.options.seconds + 3))
      await place.service.child.ask("campaign", people)
      await sleep(1000)
      const beside = p99(await asked(bench, place))
      const sent = (await place.service.child.ask<number>("sent")) - before
      rounds.push({ calm, beside })
      details.push(
        `${name}: p99 of codes ${calm} ms, ${beside} ms beside a campaign that sent ${sent} of ${people} messages`
      )
      while ((await place.service.child.ask<number>("sent")) - before < people) await sleep(500)
    }
    const calm = median(rounds.map((round) => round.calm))
    const beside = median(rounds.map((round) => round.beside))
    worst = Math.max(worst, beside / calm)
    await bench.leave(database)
  }
  return { figures: [{ target: "S26", value: worst, relation: "<=", bound: 1.3 }], details }
}

export const campaignTarget: Target = {
  name: "S26",
  what: `p99 of ${codes} codes a second, from the request to the provider, beside a campaign ÷ without; the worse of two providers`,
  measure
}
