import { Conflict, type Outgoing, type StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { type EncodedOutgoing, encode as encodeOutgoing, isOk, ownerOfOutgoing } from "./outboxParts.ts"
import { type OutboxStatement, outboxStatement } from "./outboxStatement.ts"
import { ifStorable, ints, unstorable } from "./parameters.ts"
import { PgFailure } from "./PgFailure.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { numbered, type Rows, type Table, unnested, type Values } from "./table.ts"

/** What a change writes or claims: a kind of name, and what makes it unique. */
export type Name = ReadonlyArray<string | number>

/** One kind of row that changes carry: the queries that lock and write it. */
interface Queries {
  /** Queries before it is known which changes are `ok`; the part's parameters begin at that one. */
  readonly looks: (from: number) => ReadonlyArray<string>
  /** Which of them have a row for each guarded row that was found. */
  readonly found: ReadonlyArray<string>
  /** Selects of the changes whose new rows have what belongs to another. */
  readonly taken: ReadonlyArray<string>
  /** Queries that write what is `ok`. */
  readonly writes: ReadonlyArray<string>
}

/** One kind of row, and what there is of it in a change. */
export interface GuardedPart<Change> extends Queries {
  readonly table: Table
  readonly encode: (change: Change) => ReadonlyArray<Values>
  /** Every row that a change writes and every name that it claims. No other change in its statement may share one. */
  readonly names: (change: Change) => ReadonlyArray<string>
  /** How many of the rows are guarded. */
  readonly guards: (change: Change) => number
}

export const nameOf = (name: Name): string => name.join("\u0000")

/** What was sent of a part, as `<table>_given`. */
export const given = (table: Table, from: number, before = "") =>
  `${table.table}_given as materialized (
  select g.* from ${before}${unnested(table, from, "g")}
)`

const equal = (columns: ReadonlyArray<string>, to: string) =>
  columns.map((name) => `${name} = ${to}.${name}`).join(" and ")

/** The rows that a change was decided on, each locked if it is still at that version. */
export const held = ({ key, table }: Table, also?: string, condition = "") => `${table}_held as materialized (
  select g.*, t.place, t.found${also === undefined ? "" : `, t.${also} as had`}
  from (select * from ${table}_given where version > 0 order by ${key.join(", ")} offset 0) g
  cross join lateral (
    select ctid as place, version as found${also === undefined ? "" : `, ${also}`} from ${table}
    where ${equal(key, "g")} and version = g.version${condition}
    offset 0 for update
  ) t
)`

/** A known row is changed where it was locked. */
export const known = ({ changing, table }: Table, condition = "") => `${table}_known as (
  update ${table} t set ${["version = g.version + 1", ...changing.map((name) => `${name} = g.${name}`)].join(", ")}
  from ${table}_held g where t.ctid = g.place and t.version = g.found${condition} and ${isOk}
)`

/** A new row starts at version 1. */
export const inserted = ({ columns, table }: Table) => `insert into ${table} (${columns.join(", ")})
  select ${columns.map((name) => (name === "version" ? "1" : name)).join(", ")}`

/** A new row is inserted where nothing was known of it. */
export const fresh = (rows: Table, condition = "") => `${rows.table}_fresh as (
  ${inserted(rows)} from ${rows.table}_given
  where version = 0${condition} and ${isOk} order by ${rows.key.join(", ")}
)`

interface PartOptions<Change, A> extends Partial<Queries> {
  readonly of: (change: Change) => ReadonlyArray<A>
  /** Beside the row's own: what is unique in its scope. */
  readonly names?: (row: A) => ReadonlyArray<Name>
  readonly isGuarded?: (row: A) => boolean
}

const isKnown = (row: { readonly version?: number }) => (row.version ?? 0) > 0

/** A part of changes. Without other queries its rows have versions: the known ones are locked, then all are written. */
export const part = <Change, A>(table: Rows<A>, options: PartOptions<Change, A>): GuardedPart<Change> => {
  const { isGuarded = isKnown as (row: A) => boolean, names = () => [], of, ...queries } = options
  return {
    table,
    encode: (change) => of(change).map(table.encode),
    names: (change) => of(change).flatMap(names).map(nameOf),
    guards: (change) => of(change).filter(isGuarded).length,
    looks: (from) => [given(table, from), held(table)],
    found: [`${table.table}_held`],
    taken: [],
    writes: [known(table), fresh(table)],
    ...queries
  }
}

/**
 * A change with its rows, encoded in the caller's own fiber, so that a value that cannot be written harms no other
 * change.
 */
export interface Encoded<Change> {
  readonly change: Change
  /** What those that may not be in flight together have in common, as far as one name can say it. */
  readonly key: string
  readonly own: ReadonlyArray<string>
  /** Rows that have to stay as they are. */
  readonly shared: ReadonlyArray<string>
  readonly guards: number
  readonly rows: ReadonlyArray<ReadonlyArray<Values>>
  readonly outgoing: EncodedOutgoing
}

/** Picks changes of a batch that share no row or name, in order of arrival, so that they fit into one statement. */
const apart = <One extends Pick<Encoded<unknown>, "own" | "shared">>(batch: ReadonlyArray<One>): ReadonlySet<One> => {
  const taken = new Set<string>()
  const kept = new Set<string>()
  const together = new Set<One>()
  for (const one of batch) {
    if (one.own.some((name) => taken.has(name) || kept.has(name)) || one.shared.some((name) => taken.has(name)))
      continue
    for (const name of one.own) taken.add(name)
    for (const name of one.shared) kept.add(name)
    together.add(one)
  }
  return together
}

const compose = (parts: ReadonlyArray<Queries & { readonly table: Table }>): OutboxStatement => {
  const queries: Array<string> = []
  let before = 1
  for (const part of parts) {
    queries.push(...part.looks(before + 1))
    before += part.table.names.length + 1
  }
  const writes = parts.flatMap(({ writes }) => writes)
  const found = parts.flatMap(({ found }) => found)
  const taken = parts.flatMap(({ taken }) => taken)
  const guarded = found.map((held) => `select n from ${held}`).join(" union all ")
  return outboxStatement({
    own: [
      ...queries,
      ...(found.length === 0
        ? []
        : [`found as materialized (\n  select n, count(*)::int as hits from (${guarded}) h group by n\n)`]),
      ...(taken.length === 0 ? [] : [`taken as materialized (${taken.join("\n  union all")}\n)`]),
      `ok as materialized (
  select n::int as n from unnest($1::int[]) with ordinality as c(guards, n)
  where ${found.length === 0 ? "guards = 0" : "(guards = 0 or ((n::int, guards) in (select n, hits from found)) is true)"}${
    taken.length === 0 ? "" : " and ((n::int) in (select n from taken)) is not true"
  }
)`
    ].join(", "),
    ...(writes.length === 0 ? {} : { writes: writes.join(", ") }),
    parameters: before,
    answer: "n"
  })
}

/**
 * The statements that commit changes whose rows each have a version: one for each set of parts that batches have.
 *
 * Every row that a change was decided on is locked first, in order, where it is still at its version. A change that
 * found all of its rows, and whose new rows share nothing with those that are there, is `ok`, and everything of it is
 * written. What another statement writes at the same time makes this one fail: then its changes come one by one.
 *
 * A row at a version that somebody has read was committed before this statement began, so the place at which it was
 * locked is the one that the statement sees. For that every other statement that writes such a row moves its version, too:
 * else a row that it has just written would be `ok`, at a place that this statement does not see, and stay as it is.
 *
 * The plan's shape is forced here as in `outboxStatement`, which has the reasons.
 */
export const guardedStatements = <Change, Part extends string>(
  parts: {
    readonly [P in Part]: GuardedPart<Change>
  }
) => {
  const names = Object.keys(parts) as unknown as ReadonlyArray<Part>
  const all = Object.values<GuardedPart<Change>>(parts)
  const statements = new Map<string, OutboxStatement>()
  const commit = (names: ReadonlyArray<Part>): OutboxStatement => {
    const key = names.join()
    let statement = statements.get(key)
    if (statement === undefined) statements.set(key, (statement = compose(names.map((name) => parts[name]))))
    return statement
  }
  return {
    all,
    /** The statement for all changes of a batch that has these parts. */
    commit,
    whole: commit(names),
    /** What is in a batch: the statement of its parts, and their parameters in the same order. */
    sent: (batch: ReadonlyArray<Encoded<Change>>) => {
      const there = names.flatMap((name, i) => (batch.some(({ rows }) => rows[i]!.length > 0) ? [{ name, i }] : []))
      return {
        statement: commit(there.map(({ name }) => name)),
        parameters: [
          ints(batch.map(({ guards }) => guards)),
          ...there.flatMap(({ i, name }) =>
            numbered(
              parts[name].table,
              batch.map(({ rows }) => rows[i]!)
            )
          )
        ]
      }
    }
  }
}

interface GuardedStoreOptions<Change, Part extends string> {
  readonly store: string
  readonly statements: ReturnType<typeof guardedStatements<Change, Part>>
  /** The most changes in a statement. */
  readonly most: number
  /** Rows that a change needs as they are. */
  readonly shared?: (change: Change) => ReadonlyArray<Name>
  /** The operation name in the conflict of a change. */
  readonly conflictOf?: (change: Change) => string
  readonly environmentOf: (change: Change) => string | undefined
  /** Whether a waiting change was decided on a state that another change has replaced. */
  readonly isLate?: (done: Change, waiting: Change) => boolean
}

type Outcome = "stored" | "conflict" | "again"

/** Commits changes with versioned rows, those of many callers in one statement. */
export const guardedStore = Effect.fnUntraced(function* <Change extends Outgoing, Part extends string>(
  outbox: PgOutbox,
  options: GuardedStoreOptions<Change, Part>
) {
  const { conflictOf, environmentOf, isLate, most, shared, statements, store } = options
  const operation = `${store}.commit`

  const encode = (change: Change): Encoded<Change> => {
    const own = statements.all.flatMap(({ names }) => names(change))
    return {
      change,
      key: own[0] ?? change.events[0]?.id ?? change.jobs[0]?.key ?? change.done?.key ?? change.facts[0]?.key ?? "",
      own,
      shared: shared?.(change).map(nameOf) ?? [],
      guards: statements.all.reduce((sum, { guards }) => sum + guards(change), 0),
      rows: statements.all.map((part) => part.encode(change)),
      outgoing: encodeOutgoing(change)
    }
  }

  const commits = yield* Batcher.make<Encoded<Change>, Outcome>({
    operation,
    keyOf: ({ key }) => key,
    sameKey: "wait",
    ownerOf: ({ change }) => environmentOf(change) ?? ownerOfOutgoing(change),
    maxItems: most,
    run: (batch) => {
      const together = apart(batch)
      const travelling = batch.filter((one) => together.has(one))
      const { parameters, statement } = statements.sent(travelling)
      const outgoing = travelling.map((one) => one.outgoing)
      return Effect.map(outbox.run(statement, parameters, outgoing), (rows) => {
        const stored = new Set(rows.map(([n]) => travelling[(n as number) - 1]))
        return batch.map((one) => (stored.has(one) ? "stored" : together.has(one) ? "conflict" : "again"))
      })
    },
    ...(isLate === undefined
      ? {}
      : {
          foretell: (done: Encoded<Change>, outcome: Outcome, waiting: Encoded<Change>) =>
            outcome === "stored" && isLate(done.change, waiting.change) ? ("conflict" as const) : undefined
        })
  })

  const conflict = ({ change, key }: Encoded<Change>) => new Conflict({ key: conflictOf?.(change) ?? key })

  const write = (encoded: Encoded<Change>): Effect.Effect<void, Conflict | StoreError> =>
    Effect.flatMap(commits.submit(encoded), (outcome) =>
      outcome === "stored"
        ? Effect.sync(() => outbox.committed(encoded.change))
        : outcome === "again"
          ? write(encoded)
          : Effect.fail(conflict(encoded))
    )

  return (change: Change): Effect.Effect<void, Conflict | StoreError> =>
    Effect.suspend(() => {
      const encoded = ifStorable(() => encode(change))
      return encoded === null
        ? Effect.fail(unstorable(operation))
        : Effect.mapError(write(encoded), (error) =>
            error._tag === "StoreError" && error.cause instanceof PgFailure && error.cause.isTaken
              ? conflict(encoded)
              : error
          )
    })
})

/** States as a commit has stored them: each one version further. */
export const asStored = <A extends { readonly version: number }>(states: ReadonlyArray<A>): ReadonlyArray<A> =>
  states.map((state) => ({ ...state, version: state.version + 1 }))
