import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, median } from "./Bench.ts"
import { Customers } from "./Customers.ts"
import type { LoadResult } from "./Load.ts"
import type { Finding, Target } from "./Target.ts"

const whole = (value: number) => Math.round(value).toLocaleString("en")

/** How many messages are reported at once. */
const stormOf = 5_000

/** Verifications to be entered: enough for one that goes on for as long as a storm. */
const logins = 12_000
const verifiers = 32

/** People enter their codes while thousands of customers write. */
const storm = async (bench: Bench): Promise<Finding> => {
  const customers = new Customers()
  const place = await bench.place("storm", { inbox: true })
  const ids = async () => {
    const made: Array<string> = []
    while (made.length < logins) await bench.initiate(place, 256, 2, (id) => made.push(id))
    await sleep(1000)
    return made
  }
  const rounds: Array<{ readonly calm: LoadResult; readonly beside: LoadResult; readonly detail: string }> = []
  for (let round = 0; round < bench.options.rounds; round++) {
    const all = await ids()
    const calm = await bench.verify(place, verifiers, all.splice(0, logins / 2))
    const [beside, { seconds, taken }] = await Promise.all([
      bench.verify(place, verifiers, all),
      customers.write(bench, place, stormOf)
    ])
    rounds.push({
      calm,
      beside,
      detail:
        `verify at ${verifiers} connections: p99 ${calm.p99.toFixed(1)} ms, ${whole(calm.perSecond)}/s calm; ` +
        `p99 ${beside.p99.toFixed(1)} ms, ${whole(beside.perSecond)}/s for ${beside.seconds.toFixed(1)} s in the storm: ` +
        `${whole(stormOf)} messages answered in ${taken.seconds.toFixed(1)} s, worked on in ${seconds.toFixed(1)} s`
    })
  }
  await bench.leave("storm")
  await customers.stop()
  return {
    figures: [
      {
        target: "S21",
        value: median(rounds.map(({ beside, calm }) => beside.p99 / calm.p99)),
        relation: "<=",
        bound: 2
      }
    ],
    details: rounds.map(({ detail }) => detail)
  }
}

export const stormTarget: Target = {
  name: "S21",
  what: `p99 of verify while ${whole(stormOf)} customers write at once ÷ without`,
  measure: storm
}
