import { type OutboxStatement, outboxStatement } from "./outboxStatement.ts"
import { ints } from "./parameters.ts"

/** What tells changes apart that may not be in one statement. */
export interface Named {
  /** Every row that this change writes and every name it claims: nobody else in its statement may have one of them. */
  readonly own: ReadonlyArray<string>
  /** Rows that have to stay as they are. */
  readonly shared: ReadonlyArray<string>
}

/** One kind of row that changes carry: the queries that lock and write it, and what they are given. */
export interface GuardedPart<One> {
  readonly isIn: (one: One) => boolean
  readonly count: number
  readonly parameters: (batch: ReadonlyArray<One>) => ReadonlyArray<unknown>
  /** Queries before it is known which changes are `ok`; `$` names the part's own parameters, from 1. */
  readonly looks: ($: (n: number) => string) => ReadonlyArray<string>
  /** Which of them have a row for each guarded row that was found. */
  readonly found: ReadonlyArray<string>
  /** Selects of the changes whose new rows have what belongs to another. */
  readonly taken: ReadonlyArray<string>
  /** Queries that write what is `ok`. */
  readonly writes: ReadonlyArray<string>
}

/** Whether the change of a row is `ok`. */
export const isOk = "(n in (select n from ok)) is true"

/** The rows of a batch, each with the position of its change. */
export const rowsOf = <One, A>(batch: ReadonlyArray<One>, of: (one: One) => ReadonlyArray<A>) =>
  batch.flatMap((one, at) => of(one).map((row) => ({ row, n: at + 1 })))

/** Those of a batch that have no row and no name in common, first come first served: they can be in one statement. */
export const apart = <One extends Named>(batch: ReadonlyArray<One>): ReadonlySet<One> => {
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

const compose = <One>(parts: ReadonlyArray<GuardedPart<One>>): OutboxStatement => {
  const queries: Array<string> = []
  const writes: Array<string> = []
  const found: Array<string> = []
  const taken: Array<string> = []
  let before = 1
  for (const part of parts) {
    const from = before
    const $ = (n: number) => `$${from + n}`
    queries.push(...part.looks($))
    writes.push(...part.writes)
    found.push(...part.found)
    taken.push(...part.taken)
    before += part.count
  }
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
 * locked is the one that the statement sees.
 *
 * The plan's shape is forced here as in `outboxStatement`, which has the reasons.
 */
export const guardedStatements = <Name extends string, One>(
  parts: { readonly [N in Name]: GuardedPart<One> },
  /** How many rows of a change are guarded. */
  guardsOf: (one: One) => number
) => {
  const whole = Object.keys(parts) as unknown as ReadonlyArray<Name>
  const statements = new Map<string, OutboxStatement>()
  const commit = (names: ReadonlyArray<Name>): OutboxStatement => {
    const key = names.join()
    let statement = statements.get(key)
    if (statement === undefined) statements.set(key, (statement = compose(names.map((name) => parts[name]))))
    return statement
  }
  /** What is in a batch: the names of its parts, and their parameters in the same order. */
  const partsOf = (batch: ReadonlyArray<One>) => {
    const names = whole.filter((name) => batch.some((one) => parts[name].isIn(one)))
    return { names, parameters: [ints(batch.map(guardsOf)), ...names.flatMap((name) => parts[name].parameters(batch))] }
  }
  return { whole, commit, partsOf }
}
