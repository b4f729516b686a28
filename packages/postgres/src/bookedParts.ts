import { type Balance, type Booking, isMoney, mostMoney } from "@countersign/core/storage"
import type { Part } from "./outboxPart.ts"
import { bool, type Column, int, nullable, of, rows, time, unnested, word } from "./table.ts"

/** A money column. An amount that could not be read back exactly throws in the caller's own fiber. */
const money: Column<number> = {
  type: "bigint",
  write: (amount) => {
    if (!isMoney(amount))
      throw new RangeError(`An amount of money must be a whole number from -${mostMoney} to ${mostMoney}`)
    return BigInt(amount)
  },
  read: Number
}

const booking = rows<Omit<Booking, "spent">>()("ledger", [], {
  environment: word,
  kind: word,
  amount: money,
  channel: of(nullable(word), ({ spent }: Booking) => spent?.channel ?? null),
  day: of(nullable(word), ({ spent }: Booking) => spent?.day ?? null),
  cap: of(nullable(money), ({ spent }: Booking) => spent?.cap ?? null),
  reference: nullable(word),
  item: nullable(word),
  at: time
})

const balance = rows<Omit<Balance, "amount">>()("balance", ["environment"], {
  environment: word,
  version: int,
  creditLimit: money,
  isLow: bool
})

const none: ReadonlyArray<never> = []

/**
 * The terms of a balance. They are written in the same query as the amount, because one statement cannot update a row
 * twice.
 */
export const terms: Part = {
  table: balance,
  encode: (_, terms) => (terms === undefined ? none : [balance.encode(terms)]),
  query: ({ from }) => `terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from ${unnested(balance, from, "t")}
  where (n in (select n from ok)) is true
)`
}

/** The extra SQL of a statement with terms. It does not affect other environments. */
const withTerms = {
  due: `select environment, coalesce(amount, 0) as amount, coalesce(entries, 0) as entries, coalesce(takes, false) as takes,
    decided_on, credit_limit, is_low
  from sums full join terms using (environment)`,
  fresh: "case when decided_on is null then 0 else 1 end, coalesce(credit_limit, 0), coalesce(is_low, false)",
  isNew: "and coalesce(decided_on, 0) = 0",
  set: `(version, credit_limit, is_low) = (
      select b.version + (d.decided_on is not null)::int, coalesce(d.credit_limit, b.credit_limit), coalesce(d.is_low, b.is_low)
      from due d where d.environment = b.environment
    ), `,
  isKnown: "and coalesce(d.decided_on = b.version, true)"
}
const withoutTerms = { due: "select * from sums", fresh: "0, 0, false", isNew: "", set: "", isKnown: "" }

/**
 * The money of a batch. One balance row per environment moves by the sum. The ledger gets one row per amount, with the
 * next numbers and the balance after each. Credits come before debits.
 *
 * If the balance is too low, `holds` becomes false. That violates its check, and Postgres writes nothing of the whole
 * statement. The sender then splits the batch in half and retries. Postgres checks an inserted row before it detects a
 * conflict. So a new row is judged in the insert, and an existing row in the update, against its current amount.
 *
 * All changes of an environment wait for these rows until the holder's commit is on disk. Each query sorts environments
 * and days. The ledger reads the balance and so runs after it. Postgres does not promise whether balance or spending
 * runs first. One server orders all these statements the same way, so they do not lock in opposite orders. If a
 * Postgres version ordered two shapes differently, it would end one of two deadlocked statements, and the batch would
 * be resent: slower, never wrong. Forcing the order costs each debit statement 3 percent.
 */
export const booked: Part = {
  table: booking,
  encode: ({ booked }) => (booked.length === 0 ? none : booked.map(booking.encode)),
  with: "terms",
  query: ({ from, has }) => {
    const { due, fresh, isKnown, isNew, set } = has("terms") ? withTerms : withoutTerms
    return `moving as materialized (
  select * from unnest($${from}::int[], ${booking.given(from + 1)})
    with ordinality as b(n, ${booking.names.join(", ")}, turn)
  where (n in (select n from ok)) is true
), sums as (
  select environment, sum(amount)::bigint as amount, count(*) as entries, bool_or(amount < 0) as takes
  from moving group by environment
), due as materialized (
  ${due}
), balanced as (
  insert into balance as b (environment, amount, entries, version, credit_limit, is_low, holds)
  select environment, amount, entries, ${fresh}, (not takes or amount >= 0) ${isNew}
    or exists (select from balance k where k.environment = due.environment)
  from due order by environment
  on conflict (environment) do update
    set ${set}amount = b.amount + excluded.amount, entries = b.entries + excluded.entries, holds = (
      select (not d.takes or b.amount + d.amount >= -b.credit_limit) ${isKnown}
      from due d where d.environment = b.environment
    )
  returning environment, amount, entries
), ledgered as (
  insert into ledger (environment, number, at, kind, amount, balance, channel, reference, item)
  select environment, b.entries - d.entries + row_number() over turns, m.at, m.kind, m.amount,
    b.amount - d.amount + sum(m.amount) over turns, m.channel, m.reference, m.item
  from moving m join due d using (environment) join balanced b using (environment)
  window turns as (partition by environment order by m.amount < 0, m.turn rows unbounded preceding)
), spent_today as (
  insert into spending as s (environment, day, channel, amount, holds)
  select environment, day, channel, amount, (not takes or coalesce(amount <= cap, true)) or exists (
    select from spending k where k.environment = p.environment and k.day = p.day and k.channel = p.channel
  )
  from (
    select environment, day, channel, -sum(amount)::bigint as amount, bool_or(amount < 0) as takes,
      min(cap) filter (where amount < 0) as cap
    from moving where day is not null group by environment, day, channel order by environment, day, channel
  ) p
  on conflict (environment, day, channel) do update
    set amount = s.amount + excluded.amount, holds = (
      select coalesce(s.amount + excluded.amount <= min(cap), true) from moving m
      where m.environment = s.environment and m.day = s.day and m.channel = s.channel and m.amount < 0
    )
)`
  }
}
