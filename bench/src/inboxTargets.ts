import { type Bench, median } from "./Bench.ts"
import { Inbox, rawInserts } from "./Inbox.ts"
import type { Finding, Target } from "./Target.ts"

const whole = (value: number) => Math.round(value).toLocaleString("en")
const fewLeads = 5_000
const askingSeconds = 0.5
const callers = 256
const clients = 32

/** What people ask of an inbox, of many leads beside few. */
const lists = async (bench: Bench): Promise<Finding> => {
  const { rounds, rows } = bench.options
  const small = await Inbox.open(bench.postgres, "leads_few")
  const large = await Inbox.open(bench.postgres, "leads_many")
  await small.fill(bench.postgres, fewLeads)
  const began = performance.now()
  await large.fill(bench.postgres, rows)
  const filling = (performance.now() - began) / 1000
  const [few, many] = [small.questions(), large.questions()]
  const findings: Array<{ readonly name: string; readonly ratio: number; readonly text: string }> = []
  for (const name of Object.keys(few)) {
    await large.rate(many[name]!, askingSeconds)
    await small.rate(few[name]!, askingSeconds)
    const pairs = await bench.interleave(
      () => large.rate(many[name]!, askingSeconds),
      () => small.rate(few[name]!, askingSeconds),
      rounds
    )
    const ratio = median(pairs.map(([a, b]) => a / b))
    const of = (at: 0 | 1) => whole(median(pairs.map((pair) => pair[at])))
    findings.push({ name, ratio, text: `${name}: ${ratio.toFixed(2)} (${of(0)}/s; few ${of(1)}/s)` })
  }
  await large.close(bench.postgres)
  await small.close(bench.postgres)
  return {
    figures: [{ target: "S19", value: Math.min(...findings.map(({ ratio }) => ratio)), relation: ">=", bound: 0.8 }],
    details: [
      `${whole(rows)} leads with a message each, filled in ${filling.toFixed(0)} s, beside ${whole(fewLeads)}`,
      ...findings.map(({ text }) => text)
    ]
  }
}

/** What storage makes of messages that come in. */
const inbound = async (bench: Bench): Promise<Finding> => {
  const { seconds } = bench.options
  const inbox = await Inbox.open(bench.postgres, "inbound")
  await inbox.receive(callers, 2)
  const pairs = await bench.interleave(
    () => inbox.receive(callers, seconds),
    () => bench.ceiling(inbox.database, rawInserts, clients, seconds)
  )
  await inbox.close(bench.postgres)
  return {
    figures: [{ target: "S20", value: median(pairs.map(([ours, raw]) => ours / raw)), relation: ">=", bound: 0.5 }],
    details: pairs.map(([ours, raw]) => `${whole(ours)} messages/s; pgbench ${whole(raw)}/s`)
  }
}

export const inboxTargets: ReadonlyArray<Target> = [
  { name: "S19", what: "lists and searches of an inbox: --rows leads ÷ 5,000, the worst of them", measure: lists },
  {
    name: "S20",
    what: "first messages of customers a second through the store ÷ pgbench inserting the same rows one by one",
    needsCeiling: true,
    measure: inbound
  }
]
