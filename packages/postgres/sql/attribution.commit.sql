-- The statements of "attribution.commit", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f attribution.commit.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Commits changes of trails, launches and touches.
--   $1  int[]         guards
--   $2  int[]         n
--   $3  text[]        environment
--   $4  text[]        key
--   $5  int[]         version
--   $6  text[]        was
--   $7  text[]        first_id
--   $8  timestamptz[] first_at
--   $9  text[]        source
--   $10 text[]        medium
--   $11 text[]        campaign
--   $12 text[]        visitor
--   $13 int[]         n
--   $14 text[]        environment
--   $15 text[]        id
--   $16 int[]         version
--   $17 text[]        becomes
--   $18 timestamptz[] at
--   $19 text[]        source
--   $20 text[]        medium
--   $21 text[]        campaign
--   $22 text[]        visitor
--   $23 text[]        click
--   $24 text[]        state
--   $25 int[]         n
--   $26 text[]        environment
--   $27 text[]        kind
--   $28 text[]        id
--   $29 timestamptz[] at
--   $30 text[]        launch_id
--   $31 text[]        visitor
--   $32 text[]        click
--   $33 text[]        source
--   $34 text[]        medium
--   $35 text[]        campaign
--   $36 bigint[]      micros
--   $37 text[]        currency
--   $38 text[]        details
--   $39 int[]         n
--   $40 text[]        environment
--   $41 int[]         version
--   $42 bigint[]      credit_limit
--   $43 bool[]        is_low
--   $44 int[]         n
--   $45 text[]        environment
--   $46 text[]        kind
--   $47 bigint[]      amount
--   $48 text[]        channel
--   $49 text[]        day
--   $50 bigint[]      cap
--   $51 text[]        reference
--   $52 text[]        item
--   $53 timestamptz[] at
--   $54 int[]         n
--   $55 text[]        key
--   $56 int[]         attempt
--   $57 int[]         n
--   $58 text[]        environment
--   $59 text[]        id
--   $60 text[]        type
--   $61 timestamptz[] created_at
--   $62 text[]        data
--   $63 int[]         n
--   $64 text[]        key
--   $65 text[]        environment
--   $66 text[]        kind
--   $67 text[]        payload
--   $68 timestamptz[] run_at
--   $69 int[]         attempt
--   $70 text[]        gate
--   $71 text[]        lane
--   $72 timestamptz[] run_at
--   $73 int[]         n
--   $74 text[]        kind
--   $75 text[]        environment
--   $76 timestamptz[] at
--   $77 text[]        key
--   $78 text[]        value
--   $79 bool[]        adds
--   $80 int[]         n
--   $81 text[]        kind
--   $82 text[]        environment
--   $83 timestamptz[] at
--   $84 text[]        key
--   $85 int[]         n
--   $86 text[]        merchant_id
--   $87 text[]        id
--   $88 text[]        environment
--   $89 timestamptz[] at
--   $90 text[]        action
--   $91 text[]        actor_id
--   $92 text[]        target_id
--   $93 text[]        entry
explain (generic_plan)
with trail_given as materialized (
  select g.* from unnest($2::int[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[], $8::timestamptz[], $9::text[], $10::text[], $11::text[], $12::text[])
    as g(n, environment, key, version, was, first_id, first_at, source, medium, campaign, visitor)
), trail_held as materialized (
  select g.*, t.place, t.found
  from (select * from trail_given where version > 0 order by environment, key offset 0) g
  cross join lateral (
    select ctid as place, version as found from trail
    where environment = g.environment and key = g.key and version = g.version and first_id = g.was
    offset 0 for update
  ) t
), launch_given as materialized (
  select g.* from unnest($13::int[], $14::text[], $15::text[], $16::int[], $17::text[], $18::timestamptz[], $19::text[], $20::text[], $21::text[], $22::text[], $23::text[], $24::text[])
    as g(n, environment, id, version, becomes, at, source, medium, campaign, visitor, click, state)
), launch_held as materialized (
  select g.*, t.place, t.found
  from (select * from launch_given where version > 0 order by environment, id offset 0) g
  cross join lateral (
    select ctid as place, version as found from launch
    where environment = g.environment and id = g.id and version = g.version
    offset 0 for update
  ) t
), touch_given as materialized (
  select g.* from unnest($25::int[], $26::text[], $27::text[], $28::text[], $29::timestamptz[], $30::text[], $31::text[], $32::text[], $33::text[], $34::text[], $35::text[], $36::bigint[], $37::text[], $38::text[])
    as g(n, environment, kind, id, at, launch_id, visitor, click, source, medium, campaign, micros, currency, details)
), found as materialized (
  select n, count(*)::int as hits from (select n from trail_held union all select n from launch_held) h group by n
), taken as materialized (
  select g.n from trail_given g
  cross join lateral (select 1 from trail where environment = g.environment and key = g.key offset 0) t
  where g.version = 0
  union all
  select g.n from launch_given g
  cross join lateral (select 1 from launch where environment = g.environment and id = g.id offset 0) t
  where g.version = 0
), ok as materialized (
  select n::int as n from unnest($1::int[]) with ordinality as c(guards, n)
  where (guards = 0 or ((n::int, guards) in (select n, hits from found)) is true) and ((n::int) in (select n from taken)) is not true
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($39::int[], $40::text[], $41::int[], $42::bigint[], $43::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($44::int[], $45::text[], $46::text[], $47::bigint[], $48::text[], $49::text[], $50::bigint[], $51::text[], $52::text[], $53::timestamptz[])
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
    select t.place, t.attempt from unnest($54::int[], $55::text[], $56::int[])
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
  from unnest($57::int[], $58::text[], $59::text[], $60::text[], $61::timestamptz[], $62::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($63::int[], $64::text[], $65::text[], $66::text[], $67::text[], $68::timestamptz[], $69::int[], $70::text[], $71::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($72::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($73::int[], $74::text[], $75::text[], $76::timestamptz[], $77::text[], $78::text[], $79::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($80::int[], $81::text[], $82::text[], $83::timestamptz[], $84::text[])
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
  from unnest($85::int[], $86::text[], $87::text[], $88::text[], $89::timestamptz[], $90::text[], $91::text[], $92::text[], $93::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
), trail_known as (
  update trail t set version = g.version + 1, first_id = g.first_id, first_at = g.first_at, source = g.source, medium = g.medium, campaign = g.campaign, visitor = g.visitor
  from trail_held g where t.ctid = g.place and t.version = g.found and g.first_id is not null and (n in (select n from ok)) is true
), trail_gone as (
  delete from trail t using trail_held g
  where t.ctid = g.place and t.version = g.found and g.first_id is null and (n in (select n from ok)) is true
), trail_fresh as (
  insert into trail (environment, key, version, first_id, first_at, source, medium, campaign, visitor)
  select environment, key, 1, first_id, first_at, source, medium, campaign, visitor from trail_given
  where version = 0 and first_id is not null and (n in (select n from ok)) is true order by environment, key
), launch_known as (
  update launch t set version = g.version + 1
  from launch_held g where t.ctid = g.place and t.version = g.found and g.becomes = 'kept' and (n in (select n from ok)) is true
), launch_gone as (
  delete from launch t using launch_held g
  where t.ctid = g.place and t.version = g.found and g.becomes <> 'kept' and (n in (select n from ok)) is true
), touch_gone as (
  delete from touch t using (
    select o.place from launch_held g
    cross join lateral (
      select ctid as place from touch where environment = g.environment and launch_id = g.id offset 0
    ) o
    where g.becomes = 'erased' and (n in (select n from ok)) is true
  ) d where t.ctid = d.place
), launch_fresh as (
  insert into launch (environment, id, version, at, source, medium, campaign, visitor, click, state)
  select environment, id, 1, at, source, medium, campaign, visitor, click, state from launch_given
  where version = 0 and becomes = 'kept' and (n in (select n from ok)) is true order by environment, id
), touch_fresh as (
  insert into touch (environment, kind, id, at, launch_id, visitor, click, source, medium, campaign, micros, currency, details)
  select environment, kind, id, at, launch_id, visitor, click, source, medium, campaign, micros, currency, details from touch_given where (n in (select n from ok)) is true order by environment, kind, id
  on conflict (environment, kind, id) do nothing
)
select n, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;
