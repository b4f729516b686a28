import { LeadStore } from "@countersign/core/storage"
import { PgStorage } from "@countersign/postgres"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import type { Postgres } from "./Postgres.ts"

export const environment = "env_live_inbox"
const newest = Date.UTC(2026, 0, 1)

const firstNames = ["Asha", "Ravi", "Meera", "Kiran", "Farah", "Joseph", "Lakshmi", "Imran", "Neha", "Arjun"]
const lastNames = ["Rao", "Khan", "Sharma", "Nair", "Das", "Iyer", "Patel", "Singh", "Thomas", "Gupta"]

interface Index {
  readonly drop: string
  readonly create: string
}

/** How the indexes of tables are dropped and made again, constraints first. */
const indexesOf = (...tables: ReadonlyArray<string>) => `
  select
    case when conname is null then format('drop index %s', indexrelid::regclass)
      else format('alter table %s drop constraint %I', indrelid::regclass, conname) end as drop,
    case when conname is null then pg_get_indexdef(indexrelid)
      else format('alter table %s add constraint %I %s', indrelid::regclass, conname, pg_get_constraintdef(c.oid)) end as create
  from pg_index left join pg_constraint c on conindid = indexrelid and contype in ('p', 'u', 'x')
  where indrelid = any ('{${tables.join()}}'::regclass[])
  order by conname is null, indexrelid`

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

  /** As many leads; agents, teams, names and times are spread as in an inbox of any size. */
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
    const phone = "(910000000000 + (i::bigint * 618033989) % 10000000000)::text"
    const at = "timestamptz '2026-01-01' - i * interval '1 second'"
    const series = `generate_series(1, ${rows}) as i`
    const run = (text: string) => postgres.query(this.database, text)
    // Rows first and indexes then: millions of rows are there in a minute or two.
    const indexes = (await run(indexesOf("lead", "lead_word"))) as unknown as ReadonlyArray<Index>
    for (const { drop } of indexes.toReversed()) await run(drop)
    await run(`insert into lead (environment, id, version, contact, phone, user_id, owner, team, open, active_at, words, state)
      select '${environment}', i, 1, ${phone}, ${phone}, 'user_' || i, i % 41, (i / 41) % 9, i % 3 <> 0, ${at},
        ${first} || ' ' || ${last}, '${state}' from ${series}`)
    await run(`insert into lead_word (environment, word, lead_id, words)
      select '${environment}', w, i, ${first} || ' ' || ${last}
      from ${series} cross join lateral unnest(array[${first}, ${last}]) w`)
    for (const { create } of indexes) await run(create)
    await run(`insert into counter (scope, name, value) values ('${environment}', 'lead', ${rows})`)
    await run("vacuum analyze")
    await run("checkpoint")
  }

  /** Every question that people ask of an inbox. Each answers as many leads, however many there are. */
  questions(): { readonly [name: string]: () => Effect.Effect<ReadonlyArray<unknown>, unknown> } {
    const { after, movedSince, page, search } = this.store
    const any = (count: number) => Math.floor(Math.random() * count)
    const first = { offset: 0, limit: 20 }
    const few = { offset: 0, limit: 5 }
    const place = () => ({ at: newest - 1_000 * any(4_000), id: 1 })
    return {
      "first page": () => page({ environment }, first),
      "page 1,000 of 5": () => page({ environment }, { offset: 4_995, limit: 5 }),
      open: () => page({ environment, status: "OPEN" }, first),
      closed: () => page({ environment, status: "CLOSED" }, first),
      "of an agent": () => page({ environment, assignedTo: 1 + any(40) }, first),
      "of nobody": () => page({ environment, assignedTo: null }, first),
      "of an agent in a team": () => page({ environment, assignedTo: 1 + any(40), teamId: 1 + any(8) }, few),
      "of a team": () => page({ environment, teamId: 1 + any(8) }, first),
      "open, of a team": () => page({ environment, teamId: 1 + any(8), status: "OPEN" }, first),
      "of a team and nobody": () => page({ environment, teamId: 1 + any(8), assignedTo: null }, few),
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
    const began = performance.now()
    const end = began + 1_000 * seconds
    let done = 0
    const caller = Effect.gen(function* () {
      while (performance.now() < end) {
        yield* ask()
        done++
      }
    })
    await Effect.runPromise(
      Effect.all(
        Array.from({ length: 8 }, () => caller),
        { concurrency: "unbounded" }
      )
    )
    return (1_000 * done) / (performance.now() - began)
  }
}
