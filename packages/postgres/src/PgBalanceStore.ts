import { type Balance, BalanceStore, Conflict } from "@countersign/core/storage"
import { Effect } from "effect"
import { lookup } from "./lookup.ts"
import { encode } from "./outboxParts.ts"
import { outboxStatement } from "./outboxStatement.ts"
import { bigint, int, storable, text, unstorable } from "./parameters.ts"
import { PgDatabase, type Row } from "./PgDatabase.ts"
import type { PgOutbox } from "./PgOutbox.ts"
import { queriesOf } from "./storeQueries.ts"

/**
 * The balance and the day's spending, read at one instant. The column checks limit amounts to what a float stores
 * exactly.
 */
export const funds = `
select i.n::int, b.version, b.amount::float8, b.credit_limit::float8, b.is_low, s.spent
from unnest($1::text[], $2::text[]) with ordinality as i(environment, day, n)
left join lateral (
  select version, amount, credit_limit, is_low from balance where environment = i.environment offset 0
) b on true
cross join lateral (
  select json_object_agg(channel, amount)::text as spent from (
    select channel, amount from spending where environment = i.environment and day = i.day offset 0
  ) p
) s`

const columns = "number::float8, at, kind, amount::float8, balance::float8, channel, reference, item"

/** Sorts by the column `l.number`: a bare `number` would mean the selected cast, which has no index. */
export const ledger = (before: boolean) => `
select ${columns} from ledger l where environment = $1${before ? " and number < $3" : ""} order by l.number desc limit $2`

export const topUp = `select ${columns} from ledger where environment = $1 and reference = $2 and kind = 'TOP_UP'`

/** `bookedParts` checks the version where it moves the amount. */
export const commit = outboxStatement({
  own: "ok as materialized (select 1 as n)",
  parameters: 0,
  answer: "n"
})

const entryOf =
  (environment: string) =>
  ([number, at, kind, amount, balance, channel, reference, item]: Row) =>
    ({
      environment,
      number: number as number,
      at: (at as Date).getTime(),
      kind: kind as BalanceStore.LedgerEntry["kind"],
      amount: amount as number,
      balance: balance as number,
      channel: channel as string | null,
      reference: reference as string | null,
      item: item as string | null
    }) satisfies BalanceStore.LedgerEntry

const fundsOf = ([, version, amount, creditLimit, isLow, spent]: Row, [environment, day]: ReadonlyArray<string>) => ({
  balance: {
    environment: environment!,
    amount: (amount as number | null) ?? 0,
    creditLimit: (creditLimit as number | null) ?? 0,
    isLow: (isLow as boolean | null) ?? false,
    version: (version as number | null) ?? 0
  } satisfies Balance,
  day: day!,
  spent: JSON.parse((spent as string | null) ?? "{}") as { [channel: string]: number }
})

export const make = Effect.fnUntraced(function* (outbox: PgOutbox) {
  const database = yield* PgDatabase
  const { failed, row, rows } = queriesOf(database, "BalanceStore")
  const lookups = yield* lookup(database, "BalanceStore.funds", funds, fundsOf)

  const load = (environment: string, day: string) =>
    Effect.map(lookups(environment, day), (found) => found ?? fundsOf([], [environment, day]))

  return BalanceStore.of({
    funds: load,
    commit: Effect.fnUntraced(function* (change) {
      const { balance, booked } = change
      const { environment } = balance
      const names = [environment, ...booked.flatMap(({ environment, reference }) => [environment, reference ?? ""])]
      if (!names.every(storable)) return yield* unstorable("BalanceStore.commit")
      const [row] = yield* outbox.run(commit, [], [encode(change, balance)]).pipe(failed("commit"))
      if (row === undefined) return yield* new Conflict({ key: environment })
      outbox.committed(change)
      return (yield* load(environment, "")).balance
    }),
    ledger: (environment, { before, limit }) =>
      rows(
        "ledger",
        ledger(before !== null),
        () => [text(environment), int(limit), ...(before === null ? [] : [bigint(before)])],
        entryOf(environment)
      ),
    topUp: (environment, reference) =>
      row("topUp", topUp, () => [text(environment), text(reference)], entryOf(environment))
  })
})
