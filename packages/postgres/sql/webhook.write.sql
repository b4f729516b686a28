-- The statements of "webhook.write", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f webhook.write.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Saves an endpoint.
--   $1                environment
--   $2                id
--   $3                version
--   $4                url
--   $5                state
--   $6  int[]         n
--   $7  text[]        environment
--   $8  int[]         version
--   $9  bigint[]      credit_limit
--   $10 bool[]        is_low
--   $11 int[]         n
--   $12 text[]        environment
--   $13 text[]        kind
--   $14 bigint[]      amount
--   $15 text[]        channel
--   $16 text[]        day
--   $17 bigint[]      cap
--   $18 text[]        reference
--   $19 text[]        item
--   $20 timestamptz[] at
--   $21 int[]         n
--   $22 text[]        key
--   $23 int[]         attempt
--   $24 int[]         n
--   $25 text[]        environment
--   $26 text[]        id
--   $27 text[]        type
--   $28 timestamptz[] created_at
--   $29 text[]        data
--   $30 int[]         n
--   $31 text[]        key
--   $32 text[]        environment
--   $33 text[]        kind
--   $34 text[]        payload
--   $35 timestamptz[] run_at
--   $36 int[]         attempt
--   $37 text[]        gate
--   $38 text[]        lane
--   $39 timestamptz[] run_at
--   $40 int[]         n
--   $41 text[]        kind
--   $42 text[]        environment
--   $43 timestamptz[] at
--   $44 text[]        key
--   $45 text[]        value
--   $46 bool[]        adds
--   $47 int[]         n
--   $48 text[]        kind
--   $49 text[]        environment
--   $50 timestamptz[] at
--   $51 text[]        key
--   $52 int[]         n
--   $53 text[]        merchant_id
--   $54 text[]        id
--   $55 text[]        environment
--   $56 timestamptz[] at
--   $57 text[]        action
--   $58 text[]        actor_id
--   $59 text[]        target_id
--   $60 text[]        entry
explain (generic_plan)
with known as (
  update webhook set version = $3 + 1, url = $4, state = $5
  where environment = $1 and id = $2 and version = $3 and $3 > 0
  returning version
), fresh as (
  insert into webhook (environment, id, version, url, state)
  select $1, $2, 1, $4, $5 where $3 = 0
  on conflict (environment, id) do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($6::int[], $7::text[], $8::int[], $9::bigint[], $10::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($11::int[], $12::text[], $13::text[], $14::bigint[], $15::text[], $16::text[], $17::bigint[], $18::text[], $19::text[], $20::timestamptz[])
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
    select t.place, t.attempt from unnest($21::int[], $22::text[], $23::int[])
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
  from unnest($24::int[], $25::text[], $26::text[], $27::text[], $28::timestamptz[], $29::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($30::int[], $31::text[], $32::text[], $33::text[], $34::text[], $35::timestamptz[], $36::int[], $37::text[], $38::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($39::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($40::int[], $41::text[], $42::text[], $43::timestamptz[], $44::text[], $45::text[], $46::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($47::int[], $48::text[], $49::text[], $50::timestamptz[], $51::text[])
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
  from unnest($52::int[], $53::text[], $54::text[], $55::text[], $56::timestamptz[], $57::text[], $58::text[], $59::text[], $60::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select version, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;

-- Removes an endpoint.
--   $1                environment
--   $2                id
--   $3                version
--   $4  int[]         n
--   $5  text[]        merchant_id
--   $6  text[]        id
--   $7  text[]        environment
--   $8  timestamptz[] at
--   $9  text[]        action
--   $10 text[]        actor_id
--   $11 text[]        target_id
--   $12 text[]        entry
explain (generic_plan)
with gone as (
  delete from webhook where environment = $1 and id = $2 and version = $3 returning 1
), ok as materialized (
  select 1 as n from gone
), audited as (
  insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
  select merchant_id, id, environment, at, action, actor_id, target_id, entry
  from unnest($4::int[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::text[], $10::text[], $11::text[], $12::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select n from ok;

-- Records attempts.
--   $1  text[]
--   $2  text[]
--   $3  text[]
--   $4  text[]
--   $5  text[]
--   $6  int[]
--   $7  text[]
--   $8  text[]
--   $9  timestamptz[]
--   $10 int[]
--   $11 int[]
--   $12 text[]
--   $13 text[]
--   $14 timestamptz[]
--   $15 text[]        key
--   $16 int[]         attempt
--   $17 timestamptz[] run_at
--   $18 int[]         failures
--   $19 int[]         n
--   $20 text[]        environment
--   $21 int[]         version
--   $22 bigint[]      credit_limit
--   $23 bool[]        is_low
--   $24 int[]         n
--   $25 text[]        environment
--   $26 text[]        kind
--   $27 bigint[]      amount
--   $28 text[]        channel
--   $29 text[]        day
--   $30 bigint[]      cap
--   $31 text[]        reference
--   $32 text[]        item
--   $33 timestamptz[] at
--   $34 int[]         n
--   $35 text[]        key
--   $36 int[]         attempt
--   $37 int[]         n
--   $38 text[]        environment
--   $39 text[]        id
--   $40 text[]        type
--   $41 timestamptz[] created_at
--   $42 text[]        data
--   $43 int[]         n
--   $44 text[]        key
--   $45 text[]        environment
--   $46 text[]        kind
--   $47 text[]        payload
--   $48 timestamptz[] run_at
--   $49 int[]         attempt
--   $50 text[]        gate
--   $51 text[]        lane
--   $52 timestamptz[] run_at
--   $53 int[]         n
--   $54 text[]        kind
--   $55 text[]        environment
--   $56 timestamptz[] at
--   $57 text[]        key
--   $58 text[]        value
--   $59 bool[]        adds
--   $60 int[]         n
--   $61 text[]        kind
--   $62 text[]        environment
--   $63 timestamptz[] at
--   $64 text[]        key
--   $65 int[]         n
--   $66 text[]        merchant_id
--   $67 text[]        id
--   $68 text[]        environment
--   $69 timestamptz[] at
--   $70 text[]        action
--   $71 text[]        actor_id
--   $72 text[]        target_id
--   $73 text[]        entry
explain (generic_plan)
with ok as materialized (
  select n from generate_series(1, cardinality($1::text[])) as n
), logged as (
  insert into webhook_attempt (environment, id, webhook_id, event_id, event_type, attempt, status, url, created_at, duration_ms, response_status, response_body, error, next_attempt_at)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::text[], $8::text[], $9::timestamptz[], $10::int[], $11::int[], $12::text[], $13::text[], $14::timestamptz[])
  on conflict (environment, id) do nothing
), held as materialized (
  select t.place, t.attempt, l.run_at, l.failures
  from unnest($15::text[], $16::int[], $17::timestamptz[], $18::int[])
    as l(key, attempt, run_at, failures)
  cross join lateral (
    select ctid as place, attempt from job where key = l.key and attempt = l.attempt offset 0
  ) t
), again as (
  update job j set run_at = h.run_at, owner = null, failures = h.failures from held h
  where j.ctid = h.place and j.attempt = h.attempt and (j.dead_at is null) is true
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($19::int[], $20::text[], $21::int[], $22::bigint[], $23::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($24::int[], $25::text[], $26::text[], $27::bigint[], $28::text[], $29::text[], $30::bigint[], $31::text[], $32::text[], $33::timestamptz[])
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
    select t.place, t.attempt from unnest($34::int[], $35::text[], $36::int[])
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
  from unnest($37::int[], $38::text[], $39::text[], $40::text[], $41::timestamptz[], $42::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true on conflict (environment, id) do nothing
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($43::int[], $44::text[], $45::text[], $46::text[], $47::text[], $48::timestamptz[], $49::int[], $50::text[], $51::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($52::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($53::int[], $54::text[], $55::text[], $56::timestamptz[], $57::text[], $58::text[], $59::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($60::int[], $61::text[], $62::text[], $63::timestamptz[], $64::text[])
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
  from unnest($65::int[], $66::text[], $67::text[], $68::text[], $69::timestamptz[], $70::text[], $71::text[], $72::text[], $73::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select 1, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;
