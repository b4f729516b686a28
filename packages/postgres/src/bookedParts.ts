import { type Booking, isMoney, mostMoney } from "@countersign/core/storage"
import type { Batch, Part } from "./outboxParts.ts"
import { bigints, bools, instants, ints, texts } from "./parameters.ts"

/** An amount as it is written. What could not be read back exactly ends here, in its caller's own fiber. */
const exact = (amount: number): string => {
  if (!isMoney(amount)) throw new RangeError(`An amount of money is a whole number, at most ${mostMoney} either way`)
  return String(amount)
}

/** The money of one booking. */
export interface EncodedBooking {
  readonly amount: string
  readonly cap: string | null
}

export const encodeBooking = ({ amount, spent }: Booking): EncodedBooking => ({
  amount: exact(amount),
  cap: spent === null || spent.cap === null ? null : exact(spent.cap)
})

const termsIn = (batch: Batch) =>
  batch.flatMap(({ terms }, at) => (terms === undefined ? [] : [{ ...terms, n: at + 1 }]))

/** What is agreed on a balance. It is written with the amount that moves in the same step, as no row can be twice. */
export const terms: Part = {
  isIn: (batch) => batch.some(({ terms }) => terms !== undefined),
  count: 5,
  parameters: (batch) => {
    const rows = termsIn(batch)
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ environment }) => environment)),
      ints(rows.map(({ version }) => version)),
      bigints(rows.map(({ creditLimit }) => exact(creditLimit))),
      bools(rows.map(({ isLow }) => isLow))
    ]
  },
  query: ({ $ }) => `terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::int[], ${$(4)}::bigint[], ${$(5)}::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
)`
}

/** What the statement of a door that has terms says besides: of others' environments they say nothing. */
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
 * The money of a batch: one row of each environment moves by the sum, and the ledger gets a row for each amount, with
 * the next numbers and what there was after it. What gives goes before what takes.
 *
 * Where there is not enough, `holds` becomes false, its check fails, and nothing of the whole statement is written:
 * subjects and all else have been by then. Whoever has sent the batch tries it by halves. Postgres checks a row that is
 * proposed before it finds that there is one already, so a new one is judged where it is proposed, and a known one where
 * it is changed, by what others have left of it.
 *
 * These are the rows that all changes of an environment wait for, until the one that has them is on disk. So they come
 * after all else that is left, whichever the door: first spending, then the balance, then the ledger. Postgres begins
 * with what the answer needs, which is all that is `ok`, and goes on with the queries nobody has read, from the last one
 * to the first. Environments are sorted, so no two statements lock in opposite order.
 */
export const booked: Part = {
  isIn: (batch) => terms.isIn(batch) || batch.some(({ money }) => money.length > 0),
  count: 10,
  parameters: (batch) => {
    const rows = batch.flatMap(({ money, outgoing }, at) =>
      outgoing.booked.map((booking, i) => ({ ...booking, ...money[i]!, n: at + 1 }))
    )
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ environment }) => environment)),
      texts(rows.map(({ kind }) => kind)),
      bigints(rows.map(({ amount }) => amount)),
      texts(rows.map(({ spent }) => spent?.channel ?? null)),
      texts(rows.map(({ spent }) => spent?.day ?? null)),
      bigints(rows.map(({ cap }) => cap)),
      texts(rows.map(({ reference }) => reference)),
      texts(rows.map(({ item }) => item)),
      instants(rows.map(({ at }) => at))
    ]
  },
  query: ({ $, has }) => {
    const { due, fresh, isKnown, isNew, set } = has("terms") ? withTerms : withoutTerms
    return `moving as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::bigint[], ${$(5)}::text[], ${$(6)}::text[],
      ${$(7)}::bigint[], ${$(8)}::text[], ${$(9)}::text[], ${$(10)}::timestamptz[])
    with ordinality as b(n, environment, kind, amount, channel, day, cap, reference, item, at, turn)
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
