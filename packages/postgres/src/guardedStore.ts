import { Conflict, type Outgoing, type StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import * as Batcher from "./Batcher.ts"
import { composedOnce } from "./composedOnce.ts"
import { type EncodedOutgoing, encode as encodeOutgoing, isOk, ownerOfOutgoing } from "./outboxParts.ts"
import { type OutboxStatement, outboxStatement } from "./outboxStatement.ts"
import { ifStorable, ints, unstorable } from "./parameters.ts"
import { PgFailure } from "./PgFailure.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { numbered, type Rows, type Table, unnested, type Values } from "./table.ts"

/** The unique name of something that a change writes or claims: its kind first, then its key. */
export type Name = ReadonlyArray<string | number>

/** The queries that lock and write one kind of row in a change. */
interface Queries {
  /** Queries that run before `ok` is known. `from` is the number of the part's first parameter. */
  readonly looks: (from: number) => ReadonlyArray<string>
  /** Names of those queries that return a row for each guarded row at its version. */
  readonly found: ReadonlyArray<string>
  /** Selects of the changes whose new rows use a name that another row has. */
  readonly taken: ReadonlyArray<string>
  /** Queries that write the rows of changes that are `ok`. */
  readonly writes: ReadonlyArray<string>
}

/** One kind of row in a change, and how to encode it. */
export interface GuardedPart<Change> extends Queries {
  readonly table: Table
  readonly encode: (change: Change) => ReadonlyArray<Values>
  /** Every row that a change writes and every name that it claims. No two changes of a statement may share one. */
  readonly names: (change: Change) => ReadonlyArray<string>
  /** How many of the rows are guarded. */
  readonly guards: (change: Change) => number
}

export const nameOf = (name: Name): string => name.join("\u0000")

/** The rows of a part as sent, named `<table>_given`. */
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

/** Updates a known row at the place where it was locked. */
export const known = ({ changing, table }: Table, condition = "") => `${table}_known as (
  update ${table} t set ${["version = g.version + 1", ...changing.map((name) => `${name} = g.${name}`)].join(", ")}
  from ${table}_held g where t.ctid = g.place and t.version = g.found${condition} and ${isOk}
)`

/** A new row starts at version 1. */
export const inserted = ({ columns, table }: Table) => `insert into ${table} (${columns.join(", ")})
  select ${columns.map((name) => (name === "version" ? "1" : name)).join(", ")}`

/** Inserts a row that is new to the change. */
export const fresh = (rows: Table, condition = "") => `${rows.table}_fresh as (
  ${inserted(rows)} from ${rows.table}_given
  where version = 0${condition} and ${isOk} order by ${rows.key.join(", ")}
)`

interface PartOptions<Change, A> extends Partial<Queries> {
  readonly of: (change: Change) => ReadonlyArray<A>
  /** Unique names besides the row's key. */
  readonly names?: (row: A) => ReadonlyArray<Name>
  readonly isGuarded?: (row: A) => boolean
}

const isKnown = (row: { readonly version?: number }) => (row.version ?? 0) > 0

/** A part of a change. By default its rows have versions: known rows are locked, then all rows are written. */
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
 * A change with its encoded rows. Encoding runs in the caller's own fiber, so that a value that cannot be stored harms
 * no other change.
 */
export interface Encoded<Change> {
  readonly change: Change
  /** Changes with the same key are never in flight together. It approximates `own` by one name. */
  readonly key: string
  readonly own: ReadonlyArray<string>
  /** Names of rows that must not change in the meantime. */
  readonly shared: ReadonlyArray<string>
  readonly guards: number
  readonly rows: ReadonlyArray<ReadonlyArray<Values>>
  readonly outgoing: EncodedOutgoing
}

/** Picks changes of a batch that share no row or name, in order of arrival, so that one statement can commit them. */
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
 * The statements that commit changes whose rows each have a version. There is one for each set of parts that a batch
 * contains.
 *
 * The statement first locks, in order, every row that a change was decided on, if it is still at its version. A change
 * is `ok` when all its rows were locked and its new rows conflict with no existing row. Everything in a change that is
 * `ok` is written. A concurrent insert of the same name fails the statement, and its changes are then sent one by one.
 *
 * A row at a version that a caller has read was committed before this statement began, so the locked `ctid` is the one
 * in its snapshot. This requires that every other statement that writes such a row also moves its version. Otherwise a
 * row written a moment ago would be `ok` at a `ctid` that this snapshot does not see, and its update would be lost.
 *
 * The plan's shape is forced here for the reasons given in `outboxStatement`.
 */
export const guardedStatements = <Change, Part extends string>(
  parts: {
    readonly [P in Part]: GuardedPart<Change>
  }
) => {
  const names = Object.keys(parts) as unknown as ReadonlyArray<Part>
  const all = Object.values<GuardedPart<Change>>(parts)
  const commit = composedOnce((names: ReadonlyArray<Part>) => compose(names.map((name) => parts[name])))
  return {
    all,
    /** The statement for all batches that contain these parts. */
    commit,
    whole: commit(names),
    /** The statement for a batch, and its parameters in the same order. */
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
  /** Rows that a change requires to stay unchanged. */
  readonly shared?: (change: Change) => ReadonlyArray<Name>
  /** The key in the `Conflict` of a change. */
  readonly conflictOf?: (change: Change) => string
  readonly environmentOf: (change: Change) => string | undefined
  /** Whether a waiting change was decided on a state that a finished change has replaced. */
  readonly isLate?: (done: Change, waiting: Change) => boolean
}

type Outcome = "stored" | "conflict" | "again"

/** Commits changes with versioned rows; one statement carries the changes of many callers. */
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

/** The states after a commit: each version is one higher. */
export const asStored = <A extends { readonly version: number }>(states: ReadonlyArray<A>): ReadonlyArray<A> =>
  states.map((state) => ({ ...state, version: state.version + 1 }))
