import { isMoney, mostMoney } from "@countersign/core/storage"
import type { Batch, Part } from "./outboxParts.ts"
import { bigints, bools, instants, ints, texts } from "./parameters.ts"

/** An amount as it is written: what could not be read back exactly ends in its caller's own fiber. */
export const exact = (amount: number): string => {
  if (!isMoney(amount)) throw new RangeError(`An amount of money is a whole number, at most ${mostMoney} either way`)
  return String(amount)
}

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

/** Of a change all together: what gives goes before what takes. */
const due = (withTerms: boolean) => {
  const sums = `select environment, sum(amount)::bigint as amount, count(*) as entries, bool_or(amount < 0) as takes
  from moving group by environment`
  return withTerms
    ? `select environment, coalesce(amount, 0) as amount, coalesce(entries, 0) as entries,
    coalesce(takes, false) as takes, decided_on, credit_limit, is_low
  from (${sums}) m full join terms using (environment)`
    : sums
}

/**
 * The money of a batch: one row of each environment moves by the sum, and the ledger gets a row for each amount, with
 * the next numbers and what there was after it.
 *
 * Where there is not enough, `holds` becomes false, its check fails, and nothing of the whole statement is written:
 * subjects and all else have been by then. Whoever has sent the batch tries it by halves. A row that is proposed is
 * checked before Postgres finds that there is one already, so a new one is judged where it is proposed, and a known one
 * where it is changed, by what others have left of it.
 *
 * These rows are what all changes of an environment wait for, so they come last: spending, then the balance, then the
 * ledger. Postgres first does what the answer needs, which is all that is `ok`; then the queries nobody has read, from
 * the one that is written last to the one that is written first. That is one place for all doors, and environments are
 * sorted, so that no two statements lock in opposite order.
 */
export const booked: Part = {
  isIn: (batch) => terms.isIn(batch) || batch.some(({ amounts }) => amounts.length > 0),
  count: 10,
  parameters: (batch) => {
    const rows = batch.flatMap(({ amounts, outgoing }, at) =>
      outgoing.booked.map((booking, i) => ({ ...booking, text: amounts[i]!, n: at + 1 }))
    )
    return [
      ints(rows.map(({ n }) => n)),
      texts(rows.map(({ environment }) => environment)),
      texts(rows.map(({ kind }) => kind)),
      bigints(rows.map(({ text }) => text)),
      texts(rows.map(({ spent }) => spent?.channel ?? null)),
      texts(rows.map(({ spent }) => spent?.day ?? null)),
      bigints(rows.map(({ spent }) => (spent === null || spent.cap === null ? null : exact(spent.cap)))),
      texts(rows.map(({ reference }) => reference)),
      texts(rows.map(({ item }) => item)),
      instants(rows.map(({ at }) => at))
    ]
  },
  query: ({ $, has }) => `moving as materialized (
  select * from unnest(${$(1)}::int[], ${$(2)}::text[], ${$(3)}::text[], ${$(4)}::bigint[], ${$(5)}::text[], ${$(6)}::text[],
      ${$(7)}::bigint[], ${$(8)}::text[], ${$(9)}::text[], ${$(10)}::timestamptz[])
    with ordinality as b(n, environment, kind, amount, channel, day, cap, reference, item, at, turn)
  where (n in (select n from ok)) is true
), due as materialized (
  ${due(has("terms"))}
), balanced as (
  insert into balance as b (environment, version, amount, entries, credit_limit, is_low, holds)
  select environment, ${has("terms") ? "case when decided_on is null then 0 else 1 end" : "0"}, amount, entries, ${
    has("terms") ? "coalesce(credit_limit, 0), coalesce(is_low, false)" : "0, false"
  }, (not takes or amount >= 0${has("terms") ? ") and (coalesce(decided_on, 0) = 0" : ""})
    or exists (select from balance k where k.environment = due.environment)
  from due order by environment
  on conflict (environment) do update
    set (version, amount, entries, credit_limit, is_low, holds) = (
      select ${
        has("terms") ? "case when decided_on is null then b.version else b.version + 1 end" : "b.version"
      }, b.amount + d.amount, b.entries + d.entries, ${
        has("terms")
          ? "coalesce(d.credit_limit, b.credit_limit), coalesce(d.is_low, b.is_low)"
          : "b.credit_limit, b.is_low"
      }, (not d.takes or b.amount + d.amount >= -b.credit_limit)${
        has("terms") ? " and coalesce(d.decided_on = b.version, true)" : ""
      }
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
