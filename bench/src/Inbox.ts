import { Identifier } from "@countersign/core"
import { type Lead, leadChange, type LeadMessage, LeadStore } from "@countersign/core/storage"
import { PgStorage } from "@countersign/postgres"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import type { Postgres } from "./Postgres.ts"

export const environment = "env_live_inbox"
const newest = Date.UTC(2026, 0, 1)
const mostPerStatement = 250_000

const firstNames = ["Asha", "Ravi", "Meera", "Kiran", "Farah", "Joseph", "Lakshmi", "Imran", "Neha", "Arjun"]
const lastNames = ["Rao", "Khan", "Sharma", "Nair", "Das", "Iyer", "Patel", "Singh", "Thomas", "Gupta"]

/** The lead store over a database of its own, in this process. */
export class Inbox {
  readonly database: string
  readonly store: LeadStore["Service"]
  readonly #scope: Scope.Closeable

  private constructor(database: string, store: LeadStore["Service"], scope: Scope.Closeable) {
    this.database = database
    this.store = store
    this.#scope = scope
  }

  static async open(postgres: Postgres, database: string): Promise<Inbox> {
    await postgres.createDatabase(database)
    const scope = Scope.makeUnsafe()
    const layer = PgStorage.layer({ url: Redacted.make(postgres.url(database)) })
    const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
    return new Inbox(database, Context.get(context, LeadStore), scope)
  }

  async close(postgres: Postgres): Promise<void> {
    await Effect.runPromise(Scope.close(this.#scope, Exit.void))
    await postgres.dropDatabase(this.database)
  }

  /** As many customers, each with a message; agents, teams, names and times are spread as in an inbox of any size. */
  async fill(postgres: Postgres, rows: number): Promise<void> {
    const state = JSON.stringify({
      name: "Asha Rao",
      namedAt: newest,
      origin: "INBOUND",
      campaignId: null,
      referral: null,
      lastInboundAt: newest,
      receiver: "109900000000001",
      unreadCount: 1,
      entries: 1,
      createdAt: newest
    })
    const word = (names: ReadonlyArray<string>, by: string) =>
      `(array[${names.map((name) => `'${name.toLowerCase()}'`).join(", ")}])[1 + ${by} % ${names.length}]`
    const first = word(firstNames, "i")
    const last = word(lastNames, "(i / 10)")
    const run = (text: string) => postgres.query(this.database, text)
    for (let from = 1; from <= rows; from += mostPerStatement) {
      const series = `generate_series(${from}, ${Math.min(rows, from + mostPerStatement - 1)}) as i`
      const phone = "(910000000000 + (i::bigint * 618033989) % 10000000000)::text"
      await run(`insert into lead (environment, id, version, contact, phone, user_id, owner, team, open, active_at, words, state)
        select '${environment}', i, 1, ${phone}, ${phone}, 'user_' || i, i % 41, i % 9, i % 3 <> 0,
          timestamptz '2026-01-01' - i * interval '1 second', ${first} || ' ' || ${last}, '${state}' from ${series}`)
      await run(`insert into lead_word (environment, word, lead_id)
        select '${environment}', w, i from ${series} cross join lateral unnest(array[${first}, ${last}]) w`)
      await run(`insert into lead_message (environment, id, version, lead_id, kind, at, provider_id, state)
        select '${environment}', 'msg_' || lpad(i::text, 26, '0'), 1, i, 'MESSAGE', timestamptz '2026-01-01' - i * interval '1 second',
          'wamid.' || md5(i::text), '{"direction":"IN","type":"text","text":"Is it open today?"}' from ${series}`)
    }
    await run(`insert into counter (scope, name, value) values ('${environment}', 'lead', ${rows})`)
    await run("vacuum analyze")
    await run("checkpoint")
  }

  /** Every question that people ask of an inbox. Each answers as many leads, however many there are. */
  questions(): { readonly [name: string]: () => Effect.Effect<ReadonlyArray<unknown>, unknown> } {
    const { after, movedSince, page, search } = this.store
    const any = (count: number) => Math.floor(Math.random() * count)
    const first = { offset: 0, limit: 20 }
    const place = () => ({ at: newest - 1_000 * any(4_000), id: 1 })
    return {
      "first page": () => page({ environment }, first),
      "page 1,000 of 5": () => page({ environment }, { offset: 4_995, limit: 5 }),
      open: () => page({ environment, status: "OPEN" }, first),
      closed: () => page({ environment, status: "CLOSED" }, first),
      "of an agent": () => page({ environment, assignedTo: 1 + any(40) }, first),
      "of nobody": () => page({ environment, assignedTo: null }, first),
      "of a team": () => page({ environment, teamId: 1 + any(8) }, first),
      "open, of a team": () => page({ environment, teamId: 1 + any(8), status: "OPEN" }, first),
      "of a team and nobody": () => page({ environment, teamId: 1 + any(8), assignedTo: null }, first),
      "of a number": () =>
        page({ environment, phone: String(910000000000 + (((1 + any(5_000)) * 618033989) % 10000000000)) }, first),
      "after a place": () => after({ environment }, place(), 20),
      "moved since": () => movedSince({ environment }, place(), 20),
      "search by name": () => search(environment, { words: [firstNames[any(10)]!.toLowerCase().slice(0, 3)] }, 20),
      "search by two names": () =>
        search(environment, { words: [firstNames[any(10)]!.toLowerCase(), lastNames[any(10)]!.toLowerCase()] }, 20),
      "search by number": () => search(environment, { phoneEnd: String(10 + any(90)) }, 20)
    }
  }

  /** How often a second it is answered to eight who ask again and again. */
  async rate(ask: () => Effect.Effect<unknown, unknown>, seconds: number): Promise<number> {
    return this.#repeat(8, seconds, ask)
  }

  /** Messages a second of customers who write for the first time: known, counted and committed as the inbox does it. */
  async receive(callers: number, seconds: number): Promise<number> {
    return this.#repeat(callers, seconds, () => this.#message())
  }

  readonly #message = () => {
    const { commit, known, next } = this.store
    return Effect.gen(function* () {
      const id = Identifier.make("msg", Date.now())
      const providerId = `wamid.${id}`
      const phone = String(9_100_000_000_000 + Math.floor(Math.random() * 900_000_000_000))
      yield* known(environment, { phone, userId: null }, [providerId])
      const number = yield* next(environment, "lead")
      const now = Date.now()
      const lead: Lead = {
        environment,
        id: number,
        version: 0,
        contact: phone,
        phone,
        userId: `user_${phone}`,
        name: "Asha Rao",
        namedAt: now,
        status: "OPEN",
        assignedTo: null,
        teamId: null,
        origin: "INBOUND",
        campaignId: null,
        referral: null,
        lastMessageAt: now,
        lastInboundAt: now,
        receiver: "109900000000001",
        unreadCount: 1,
        entries: 0,
        createdAt: now
      }
      const message: LeadMessage = {
        environment,
        id,
        version: 0,
        leadId: number,
        kind: "MESSAGE",
        direction: "IN",
        type: "text",
        text: "Is it open today?",
        payload: null,
        media: null,
        location: null,
        details: null,
        context: null,
        referral: null,
        about: null,
        writer: null,
        template: null,
        status: null,
        handedOver: false,
        error: null,
        sentBy: null,
        at: now,
        providerId
      }
      yield* commit(leadChange({ leads: [lead], messages: [message] }))
    })
  }

  async #repeat(callers: number, seconds: number, once: () => Effect.Effect<unknown, unknown>): Promise<number> {
    const began = performance.now()
    const end = began + 1_000 * seconds
    let done = 0
    const caller = Effect.gen(function* () {
      while (performance.now() < end) {
        yield* once()
        done++
      }
    })
    await Effect.runPromise(
      Effect.all(
        Array.from({ length: callers }, () => caller),
        { concurrency: "unbounded" }
      )
    )
    return (1_000 * done) / (performance.now() - began)
  }
}

const longText = (length: number) => "x".repeat(length)

/** The rows of one such customer by themselves: the lead, the two words of the name, the message; in one transaction. */
export const rawInserts = {
  variables: { n: "0", lead: longText(240), message: longText(330) },
  lines: [
    "\\set key :round * 100000000 + :client_id * 1000000 + :n",
    "\\set n :n + 1",
    "begin;",
    `insert into lead (environment, id, version, contact, phone, user_id, owner, team, open, active_at, words, state) values ('${environment}', 0 - (:key)::int, 1, 'p' || (:key)::text, 'p' || (:key)::text, 'user_' || (:key)::text, 0, 0, true, now(), 'asha rao', :lead);`,
    `insert into lead_word (environment, word, lead_id) values ('${environment}', 'asha', 0 - (:key)::int);`,
    `insert into lead_word (environment, word, lead_id) values ('${environment}', 'rao', 0 - (:key)::int);`,
    `insert into lead_message (environment, id, version, lead_id, kind, at, provider_id, state) values ('${environment}', 'raw_' || lpad((:key)::text, 26, '0'), 1, 0 - (:key)::int, 'MESSAGE', now(), 'wamid.raw_' || lpad((:key)::text, 26, '0'), :message);`,
    "commit;"
  ]
}
