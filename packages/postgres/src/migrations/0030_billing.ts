/**
 * Money. A balance and the spending of a day are rows that many changes move, so no indexed column of theirs ever
 * changes, and dead versions of them are cleared away soon. `holds` is whether a change may be: where it is false
 * nothing of the whole statement is written, because there is not enough. The ledger is only added to, and stays.
 *
 * An amount beyond nine quadrillions could not be read back exactly.
 */
const exact = "between -9000000000000000 and 9000000000000000"
const hot = "fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500"

export const billing: ReadonlyArray<string> = [
  `create table balance (
    environment text collate "C" primary key,
    version int not null,
    amount bigint not null constraint balance_is_exact check (amount ${exact}),
    entries bigint not null,
    credit_limit bigint not null,
    is_low bool not null,
    holds bool not null constraint balance_holds check (holds)
  ) with (${hot})`,
  `create table spending (
    environment text collate "C" not null,
    day text collate "C" not null,
    channel text collate "C" not null,
    amount bigint not null constraint spending_is_exact check (amount ${exact}),
    holds bool not null constraint spending_holds check (holds),
    primary key (environment, day, channel)
  ) with (${hot})`,
  "create index spending_age on spending (day)",
  `create table ledger (
    environment text collate "C" not null,
    number bigint not null,
    at timestamptz not null,
    kind text collate "C" not null,
    amount bigint not null,
    balance bigint not null,
    channel text collate "C",
    reference text collate "C",
    item text collate "C",
    primary key (environment, number)
  )`,
  "create unique index ledger_top_up on ledger (environment, reference) where kind = 'TOP_UP'"
]
