-- The statements of "hook", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f hook.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Saves a hook.
--   $1                id
--   $2                environment
--   $3                version
--   $4                state
--   $5  int[]         n
--   $6  text[]        environment
--   $7  int[]         version
--   $8  bigint[]      credit_limit
--   $9  bool[]        is_low
--   $10 int[]         n
--   $11 text[]        environment
--   $12 text[]        kind
--   $13 bigint[]      amount
--   $14 text[]        channel
--   $15 text[]        day
--   $16 bigint[]      cap
--   $17 text[]        reference
--   $18 text[]        item
--   $19 timestamptz[] at
--   $20 int[]         n
--   $21 text[]        key
--   $22 int[]         attempt
--   $23 int[]         n
--   $24 text[]        environment
--   $25 text[]        id
--   $26 text[]        type
--   $27 timestamptz[] created_at
--   $28 text[]        data
--   $29 int[]         n
--   $30 text[]        key
--   $31 text[]        environment
--   $32 text[]        kind
--   $33 text[]        payload
--   $34 timestamptz[] run_at
--   $35 int[]         attempt
--   $36 text[]        gate
--   $37 text[]        lane
--   $38 timestamptz[] run_at
--   $39 int[]         n
--   $40 text[]        kind
--   $41 text[]        environment
--   $42 timestamptz[] at
--   $43 text[]        key
--   $44 text[]        value
--   $45 bool[]        adds
--   $46 int[]         n
--   $47 text[]        kind
--   $48 text[]        environment
--   $49 timestamptz[] at
--   $50 text[]        key
--   $51 int[]         n
--   $52 text[]        merchant_id
--   $53 text[]        id
--   $54 text[]        environment
--   $55 timestamptz[] at
--   $56 text[]        action
--   $57 text[]        actor_id
--   $58 text[]        target_id
--   $59 text[]        entry
explain (generic_plan)
with known as (
  update hook set version = $3 + 1, environment = $2, state = $4
  where id = $1 and version = $3 and $3 > 0
  returning version
), fresh as (
  insert into hook (id, environment, version, state)
  select $1, $2, 1, $4 where $3 = 0
  on conflict (id) do nothing
  returning version
), ok as materialized (
  select 1 as n, version from known union all select 1, version from fresh
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($5::int[], $6::text[], $7::int[], $8::bigint[], $9::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($10::int[], $11::text[], $12::text[], $13::bigint[], $14::text[], $15::text[], $16::bigint[], $17::text[], $18::text[], $19::timestamptz[])
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
    select t.place, t.attempt from unnest($20::int[], $21::text[], $22::int[])
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
  from unnest($23::int[], $24::text[], $25::text[], $26::text[], $27::timestamptz[], $28::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($29::int[], $30::text[], $31::text[], $32::text[], $33::text[], $34::timestamptz[], $35::int[], $36::text[], $37::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($38::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($39::int[], $40::text[], $41::text[], $42::timestamptz[], $43::text[], $44::text[], $45::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($46::int[], $47::text[], $48::text[], $49::timestamptz[], $50::text[])
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
  from unnest($51::int[], $52::text[], $53::text[], $54::text[], $55::timestamptz[], $56::text[], $57::text[], $58::text[], $59::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select version, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;

-- Removes a hook.
--   $1                id
--   $2                environment
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
  delete from hook where id = $1 and environment = $2 and version = $3 returning 1
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

-- Loads hooks.
--   $1  text[]        id
explain (generic_plan)
select i.n::int, h.id, h.environment, h.version, h.state from unnest($1::text[]) with ordinality as i(id, n)
cross join lateral (select * from hook where id = i.id offset 0) h;

-- Lists the hooks of an environment.
--   $1                environment
explain (generic_plan)
select h.id, h.environment, h.version, h.state from hook h where environment = $1 order by id;

-- Adds requests to the lists of their hooks.
--   $1  text[]        hook_id
--   $2  text[]        id
--   $3  text[]        environment
--   $4  timestamptz[] at
--   $5  bool[]        signed
--   $6  text[]        entry
explain (generic_plan)
with given as materialized (
  select * from unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::bool[], $6::text[]) as g(hook_id, id, environment, at, signed, entry)
), added as (
  insert into hook_request (hook_id, id, environment, at, signed, entry)
  select * from given
  on conflict (hook_id, id) do nothing
)
delete from hook_request r using (
  select g.hook_id, g.signed, case when g.signed
    then (
    select id from hook_request where hook_id = g.hook_id and signed is true order by id desc offset 500 limit 1
  )
    else (
    select id from hook_request where hook_id = g.hook_id and signed is false order by id desc offset 50 limit 1
  ) end as last
  from (select distinct hook_id, signed from given) g
) t
where r.hook_id = t.hook_id and r.signed = t.signed and r.id <= t.last;

-- Lists the requests of a hook.
--   $1                environment
--   $2                hook_id
--   $3
--   $4                id
explain (generic_plan)
select r.hook_id, r.id, r.environment, r.entry from hook_request r
where hook_id = $2 and (environment = $1) is true and id < $4
order by id desc limit $3;

-- Deletes old requests.
--   $1                at
--   $2
explain (generic_plan)
delete from hook_request where ctid = any(array(
  select ctid from hook_request where at < $1 and at > '-infinity' order by at limit $2 for update skip locked
)) returning 1;
