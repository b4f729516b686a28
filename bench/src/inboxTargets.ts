import { type Bench, median, type Place } from "./Bench.ts"
import { Customers } from "./Customers.ts"
import { Inbox } from "./Inbox.ts"
import type { Script } from "./Pgbench.ts"
import type { Finding, Target } from "./Target.ts"

const whole = (value: number) => Math.round(value).toLocaleString("en")
const fewLeads = 5_000
const warmingSeconds = 0.4
/** The two take turns this often in a round: what else the machine does for a moment meets both. */
const turns = 8
const turnSeconds = 0.12
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
  const names = Object.keys(few)
  // Connections, plans and the code that is asked first are new: nobody's figure pays for that.
  for (const name of names) {
    await large.rate(many[name]!, warmingSeconds)
    await small.rate(few[name]!, warmingSeconds)
  }
  const findings: Array<{ readonly name: string; readonly ratio: number; readonly text: string }> = []
  for (const name of names) {
    const pairs: Array<readonly [number, number]> = []
    while (pairs.length < rounds) {
      let [a, b] = [0, 0]
      for (let turn = 0; turn < turns; turn++) {
        a += (await large.rate(many[name]!, turnSeconds)) / turns
        b += (await small.rate(few[name]!, turnSeconds)) / turns
      }
      pairs.push([a, b])
    }
    const ratio = median(pairs.map(([a, b]) => a / b))
    const of = (at: 0 | 1) => whole(median(pairs.map((pair) => pair[at])))
    findings.push({ name, ratio, text: `${name}: ${ratio.toFixed(2)} (${of(0)}/s; few ${of(1)}/s)` })
  }
  await large.close(bench.postgres)
  await small.close(bench.postgres)
  return {
    figures: [{ target: "S19", value: Math.min(...findings.map(({ ratio }) => ratio)), relation: ">=", bound: 0.8 }],
    details: [
      `${whole(rows)} leads, filled in ${filling.toFixed(0)} s, beside ${whole(fewLeads)}`,
      ...findings.map(({ text }) => text)
    ]
  }
}

/** Messages of a turn: the service works on them for some seconds. */
const messagesOfTurn = 8_000

/** How long the texts are that a message leaves behind, as the service wrote them. */
const lengths = async (bench: Bench, { database }: Place) => {
  const [row] = await bench.postgres.query(
    database,
    `select
      (select environment from lead limit 1) as environment,
      (select avg(length(state))::int from lead) as lead,
      (select avg(length(state))::int from lead_message) as message,
      (select avg(length(state))::int from lead_entry) as entry,
      (select avg(length(data))::int from event where type = 'message.received') as event`
  )
  return row as { readonly environment: string } & {
    readonly [name in "lead" | "message" | "entry" | "event"]: number
  }
}

/** What one text message of somebody who writes for the first time is as a sealed parcel. */
const parcelLength = 900

/**
 * The rows of one such customer by themselves, in one transaction: the job that comes and goes, the lead, the two words
 * of the name, the message, the entry of the history, the event.
 */
const rawInserts = async (bench: Bench, place: Place): Promise<Script> => {
  const { entry, environment, event, lead, message } = await lengths(bench, place)
  const text = (length: number) => "x".repeat(length)
  return {
    variables: {
      n: "0",
      lead: text(lead),
      message: text(message),
      entry: text(entry),
      event: text(event),
      job: text(parcelLength)
    },
    lines: [
      "\\set key :round * 100000000 + :client_id * 1000000 + :n",
      "\\set n :n + 1",
      "begin;",
      `insert into job (key, environment, kind, payload, run_at, attempt, gate) values ('inbound:' || md5((:key)::text), '${environment}', 'raw', :job, now(), 0, 'raw');`,
      `delete from job where key = 'inbound:' || md5((:key)::text);`,
      `insert into lead (environment, id, version, contact, phone, user_id, owner, team, open, active_at, words, state) values ('${environment}', 0 - (:key)::int, 1, 'p' || (:key)::text, 'p' || (:key)::text, null, 0, 0, true, now(), 'asha ' || (:key)::text, :lead);`,
      ...["'asha'", "(:key)::text"].map(
        (word) =>
          `insert into lead_word (environment, word, lead_id, words) values ('${environment}', ${word}, 0 - (:key)::int, 'asha ' || (:key)::text);`
      ),
      `insert into lead_message (environment, id, version, lead_id, kind, at, provider_id, state) values ('${environment}', 'msg_' || lpad((:key)::text, 26, '0'), 1, 0 - (:key)::int, 'MESSAGE', now(), 'wamid.raw_' || lpad((:key)::text, 26, '0'), :message);`,
      `insert into lead_entry (environment, lead_id, number, state) values ('${environment}', 0 - (:key)::int, 1, :entry);`,
      `insert into event (environment, id, type, created_at, data) values ('${environment}', 'evt_' || lpad((:key)::text, 26, '0'), 'message.received', now(), :event);`,
      "commit;"
    ]
  }
}

/** What the service makes of messages that come in: from the provider's call to the conversation. */
const inbound = async (bench: Bench): Promise<Finding> => {
  const { seconds } = bench.options
  const customers = new Customers()
  const place = await bench.place("inbound", { inbox: true })
  await customers.write(bench, place, messagesOfTurn)
  const script = await rawInserts(bench, place)
  const pairs = await bench.interleave(
    () => customers.write(bench, place, messagesOfTurn),
    () => bench.ceiling(place.database, script, clients, seconds)
  )
  await bench.leave("inbound")
  await customers.stop()
  const rate = (one: number) => messagesOfTurn / one
  return {
    figures: [
      {
        target: "S20",
        value: median(pairs.map(([ours, raw]) => rate(ours.seconds) / raw)),
        relation: ">=",
        bound: 0.5
      }
    ],
    details: pairs.map(
      ([ours, raw]) =>
        `${whole(rate(ours.seconds))} messages/s, answered at ${whole(ours.taken.perSecond)}/s; pgbench ${whole(raw)}/s`
    )
  }
}

export const inboxTargets: ReadonlyArray<Target> = [
  { name: "S19", what: "lists and searches of an inbox: --rows leads ÷ 5,000, the worst of them", measure: lists },
  {
    name: "S20",
    what: "first messages of customers a second, from the signed call to the lead ÷ pgbench inserting the same rows",
    needsCeiling: true,
    measure: inbound
  }
]
