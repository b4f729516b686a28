-- The statements of "outbox.append", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f outbox.append.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Writes effects without an aggregate.
--   $1
--   $2  int[]         n
--   $3  text[]        environment
--   $4  int[]         version
--   $5  bigint[]      credit_limit
--   $6  bool[]        is_low
--   $7  int[]         n
--   $8  text[]        environment
--   $9  text[]        kind
--   $10 bigint[]      amount
--   $11 text[]        channel
--   $12 text[]        day
--   $13 bigint[]      cap
--   $14 text[]        reference
--   $15 text[]        item
--   $16 timestamptz[] at
--   $17 int[]         n
--   $18 text[]        key
--   $19 int[]         attempt
--   $20 int[]         n
--   $21 text[]        environment
--   $22 text[]        id
--   $23 text[]        type
--   $24 timestamptz[] created_at
--   $25 text[]        data
--   $26 int[]         n
--   $27 text[]        key
--   $28 text[]        environment
--   $29 text[]        kind
--   $30 text[]        payload
--   $31 timestamptz[] run_at
--   $32 int[]         attempt
--   $33 text[]        gate
--   $34 text[]        lane
--   $35 timestamptz[] run_at
--   $36 int[]         n
--   $37 text[]        kind
--   $38 text[]        environment
--   $39 timestamptz[] at
--   $40 text[]        key
--   $41 text[]        value
--   $42 bool[]        adds
--   $43 int[]         n
--   $44 text[]        kind
--   $45 text[]        environment
--   $46 timestamptz[] at
--   $47 text[]        key
--   $48 int[]         n
--   $49 text[]        merchant_id
--   $50 text[]        id
--   $51 text[]        environment
--   $52 timestamptz[] at
--   $53 text[]        action
--   $54 text[]        actor_id
--   $55 text[]        target_id
--   $56 text[]        entry
explain (generic_plan)
with ok as materialized (select n from generate_series(1, $1) as n), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($2::int[], $3::text[], $4::int[], $5::bigint[], $6::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($7::int[], $8::text[], $9::text[], $10::bigint[], $11::text[], $12::text[], $13::bigint[], $14::text[], $15::text[], $16::timestamptz[])
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
    select t.place, t.attempt from unnest($17::int[], $18::text[], $19::int[])
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
  from unnest($20::int[], $21::text[], $22::text[], $23::text[], $24::timestamptz[], $25::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true on conflict (environment, id) do nothing
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($26::int[], $27::text[], $28::text[], $29::text[], $30::text[], $31::timestamptz[], $32::int[], $33::text[], $34::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($35::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($36::int[], $37::text[], $38::text[], $39::timestamptz[], $40::text[], $41::text[], $42::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($43::int[], $44::text[], $45::text[], $46::timestamptz[], $47::text[])
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
  from unnest($48::int[], $49::text[], $50::text[], $51::text[], $52::timestamptz[], $53::text[], $54::text[], $55::text[], $56::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select 1, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;
