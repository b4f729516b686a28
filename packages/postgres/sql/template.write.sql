-- The statements of "template.write", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f template.write.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Saves a template.
--   $1                environment
--   $2                id
--   $3                revision
--   $4                version
--   $5                slot
--   $6                whatsapp
--   $7                head
--   $8
--   $9  timestamptz   retired_at
--   $10 text
--   $11 int[]         n
--   $12 text[]        environment
--   $13 int[]         version
--   $14 bigint[]      credit_limit
--   $15 bool[]        is_low
--   $16 int[]         n
--   $17 text[]        environment
--   $18 text[]        kind
--   $19 bigint[]      amount
--   $20 text[]        channel
--   $21 text[]        day
--   $22 bigint[]      cap
--   $23 text[]        reference
--   $24 text[]        item
--   $25 timestamptz[] at
--   $26 int[]         n
--   $27 text[]        key
--   $28 int[]         attempt
--   $29 int[]         n
--   $30 text[]        environment
--   $31 text[]        id
--   $32 text[]        type
--   $33 timestamptz[] created_at
--   $34 text[]        data
--   $35 int[]         n
--   $36 text[]        key
--   $37 text[]        environment
--   $38 text[]        kind
--   $39 text[]        payload
--   $40 timestamptz[] run_at
--   $41 int[]         attempt
--   $42 text[]        gate
--   $43 text[]        lane
--   $44 timestamptz[] run_at
--   $45 int[]         n
--   $46 text[]        kind
--   $47 text[]        environment
--   $48 timestamptz[] at
--   $49 text[]        key
--   $50 text[]        value
--   $51 bool[]        adds
--   $52 int[]         n
--   $53 text[]        kind
--   $54 text[]        environment
--   $55 timestamptz[] at
--   $56 text[]        key
--   $57 int[]         n
--   $58 text[]        merchant_id
--   $59 text[]        id
--   $60 text[]        environment
--   $61 timestamptz[] at
--   $62 text[]        action
--   $63 text[]        actor_id
--   $64 text[]        target_id
--   $65 text[]        entry
explain (generic_plan)
with known as (
  update template set revision = $3 + 1, version = $4, slot = $5, whatsapp = $6, removed_at = case when $8 = 1 then $9::timestamptz end, head = $7
  where environment = $1 and id = $2 and revision = $3 and $3 > 0
  returning revision
), fresh as (
  insert into template (environment, id, revision, version, slot, whatsapp, removed_at, head)
  select $1, $2, 1, $4, $5, $6, case when $8 = 1 then $9::timestamptz end, $7 where $3 = 0
  on conflict do nothing
  returning revision
), ok as materialized (
  select 1 as n, revision from known union all select 1, revision from fresh
), retired as (
  update template_content set retired_at = $9
  where environment = $1 and id = $2 and (version < $4 or $8 = 1) and retired_at is null and exists (select from ok)
), worded as (
  insert into template_content (environment, id, version, content)
  select $1, $2, $4, $10::text from ok where $10::text is not null
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($11::int[], $12::text[], $13::int[], $14::bigint[], $15::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($16::int[], $17::text[], $18::text[], $19::bigint[], $20::text[], $21::text[], $22::bigint[], $23::text[], $24::text[], $25::timestamptz[])
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
    select t.place, t.attempt from unnest($26::int[], $27::text[], $28::int[])
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
  from unnest($29::int[], $30::text[], $31::text[], $32::text[], $33::timestamptz[], $34::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($35::int[], $36::text[], $37::text[], $38::text[], $39::text[], $40::timestamptz[], $41::int[], $42::text[], $43::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($44::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($45::int[], $46::text[], $47::text[], $48::timestamptz[], $49::text[], $50::text[], $51::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($52::int[], $53::text[], $54::text[], $55::timestamptz[], $56::text[])
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
  from unnest($57::int[], $58::text[], $59::text[], $60::text[], $61::timestamptz[], $62::text[], $63::text[], $64::text[], $65::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select revision, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;
