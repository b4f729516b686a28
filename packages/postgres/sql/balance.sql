-- The statements of "balance", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f balance.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads balances and the spending of a day.
--   $1  text[]        environment
--   $2  text[]        day
explain (generic_plan)
select i.n::int, b.version, b.amount::float8, b.credit_limit::float8, b.is_low, s.spent
from unnest($1::text[], $2::text[]) with ordinality as i(environment, day, n)
left join lateral (
  select version, amount, credit_limit, is_low from balance where environment = i.environment offset 0
) b on true
cross join lateral (
  select json_object_agg(channel, amount)::text as spent from (
    select channel, amount from spending where environment = i.environment and day = i.day offset 0
  ) p
) s;

-- Saves the terms of a balance and moves its amount.
--   $1  int[]         n
--   $2  text[]        environment
--   $3  int[]         version
--   $4  bigint[]      credit_limit
--   $5  bool[]        is_low
--   $6  int[]         n
--   $7  text[]        environment
--   $8  text[]        kind
--   $9  bigint[]      amount
--   $10 text[]        channel
--   $11 text[]        day
--   $12 bigint[]      cap
--   $13 text[]        reference
--   $14 text[]        item
--   $15 timestamptz[] at
--   $16 int[]         n
--   $17 text[]        key
--   $18 int[]         attempt
--   $19 int[]         n
--   $20 text[]        environment
--   $21 text[]        id
--   $22 text[]        type
--   $23 timestamptz[] created_at
--   $24 text[]        data
--   $25 int[]         n
--   $26 text[]        key
--   $27 text[]        environment
--   $28 text[]        kind
--   $29 text[]        payload
--   $30 timestamptz[] run_at
--   $31 int[]         attempt
--   $32 text[]        gate
--   $33 text[]        lane
--   $34 timestamptz[] run_at
--   $35 int[]         n
--   $36 text[]        kind
--   $37 text[]        environment
--   $38 timestamptz[] at
--   $39 text[]        key
--   $40 text[]        value
--   $41 bool[]        adds
--   $42 int[]         n
--   $43 text[]        kind
--   $44 text[]        environment
--   $45 timestamptz[] at
--   $46 text[]        key
--   $47 int[]         n
--   $48 text[]        merchant_id
--   $49 text[]        id
--   $50 text[]        environment
--   $51 timestamptz[] at
--   $52 text[]        action
--   $53 text[]        actor_id
--   $54 text[]        target_id
--   $55 text[]        entry
explain (generic_plan)
with ok as materialized (select 1 as n), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($1::int[], $2::text[], $3::int[], $4::bigint[], $5::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($6::int[], $7::text[], $8::text[], $9::bigint[], $10::text[], $11::text[], $12::bigint[], $13::text[], $14::text[], $15::timestamptz[])
    with ordinality as b(n, environment, kind, amount, channel, day, cap, reference, item, at, turn)
  where (n in (select n from ok)) is true
), sums as (
  select environment, sum(amount)::bigint as amount, count(*) as entries, bool_or(amount < 0) as takes
  from moving group by environment
), due as materialized (
  select environment, coalesce(amount, 0) as amount, coalesce(entries, 0) as entries, coalesce(takes, false) as takes,
    decided_on, credit_limit, is_low
  from sums full join terms using (environment)
), balanced as (
  insert into balance as b (environment, amount, entries, version, credit_limit, is_low, holds)
  select environment, amount, entries, case when decided_on is null then 0 else 1 end, coalesce(credit_limit, 0), coalesce(is_low, false), (not takes or amount >= 0) and coalesce(decided_on, 0) = 0
    or exists (select from balance k where k.environment = due.environment)
  from due order by environment
  on conflict (environment) do update
    set (version, credit_limit, is_low) = (
      select b.version + (d.decided_on is not null)::int, coalesce(d.credit_limit, b.credit_limit), coalesce(d.is_low, b.is_low)
      from due d where d.environment = b.environment
    ), amount = b.amount + excluded.amount, entries = b.entries + excluded.entries, holds = (
      select (not d.takes or b.amount + d.amount >= -b.credit_limit) and coalesce(d.decided_on = b.version, true)
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
), done as (
  delete from job j using (
    select t.place, t.attempt from unnest($16::int[], $17::text[], $18::int[])
    as l(n, key, attempt)
    cross join lateral (
      select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0
    ) t
    where (l.n in (select n from ok)) is true
  ) d
  where j.ctid = d.place and j.attempt = d.attempt and (j.dead_at is null) is true
  returning 1
), recorded as (
  insert into event (environment, id, type, created_at, data)
  select environment, id, type, created_at, data
  from unnest($19::int[], $20::text[], $21::text[], $22::text[], $23::timestamptz[], $24::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($25::int[], $26::text[], $27::text[], $28::text[], $29::text[], $30::timestamptz[], $31::int[], $32::text[], $33::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($34::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($35::int[], $36::text[], $37::text[], $38::timestamptz[], $39::text[], $40::text[], $41::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($42::int[], $43::text[], $44::text[], $45::timestamptz[], $46::text[])
    as l(n, kind, environment, at, key)
    cross join lateral (
      select ctid as place from fact
      where kind = l.kind and environment = l.environment and at = l.at and key = l.key offset 0
    ) t
    where (l.n in (select n from ok)) is true
  ) d
  where f.ctid = d.place
), audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest($47::int[], $48::text[], $49::text[], $50::text[], $51::timestamptz[], $52::text[], $53::text[], $54::text[], $55::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select n, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;

-- Lists the ledger.
--   $1                environment
--   $2
--   $3                number
explain (generic_plan)
select number::float8, at, kind, amount::float8, balance::float8, channel, reference, item from ledger l where environment = $1 and number < $3 order by l.number desc limit $2;

-- Finds a top-up.
--   $1                environment
--   $2                reference
explain (generic_plan)
select number::float8, at, kind, amount::float8, balance::float8, channel, reference, item from ledger where environment = $1 and reference = $2 and kind = 'TOP_UP';
