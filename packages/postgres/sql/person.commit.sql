-- The statements of "person.commit", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f person.commit.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Commits changes of agents, sign-in links and sessions.
--   $1  int[]         guards
--   $2  int[]         n
--   $3  text[]        merchant_id
--   $4  int[]         id
--   $5  int[]         version
--   $6  text[]        canonical
--   $7  bool[]        active
--   $8  bool[]        removed
--   $9  text[]        state
--   $10 int[]         n
--   $11 text[]        merchant_id
--   $12 int[]         id
--   $13 int[]         version
--   $14 text[]        hash
--   $15 timestamptz[] expires_at
--   $16 text[]        state
--   $17 int[]         n
--   $18 text[]        merchant_id
--   $19 text[]        id
--   $20 int[]         version
--   $21 int[]         agent_id
--   $22 text[]        hash
--   $23 timestamptz[] signed_in_at
--   $24 timestamptz[] last_used_at
--   $25 timestamptz[] ended_at
--   $26 text[]        state
--   $27 int[]         proven_era
--   $28 int[]         n
--   $29 text[]        environment
--   $30 int[]         version
--   $31 bigint[]      credit_limit
--   $32 bool[]        is_low
--   $33 int[]         n
--   $34 text[]        environment
--   $35 text[]        kind
--   $36 bigint[]      amount
--   $37 text[]        channel
--   $38 text[]        day
--   $39 bigint[]      cap
--   $40 text[]        reference
--   $41 text[]        item
--   $42 timestamptz[] at
--   $43 int[]         n
--   $44 text[]        key
--   $45 int[]         attempt
--   $46 int[]         n
--   $47 text[]        environment
--   $48 text[]        id
--   $49 text[]        type
--   $50 timestamptz[] created_at
--   $51 text[]        data
--   $52 int[]         n
--   $53 text[]        key
--   $54 text[]        environment
--   $55 text[]        kind
--   $56 text[]        payload
--   $57 timestamptz[] run_at
--   $58 int[]         attempt
--   $59 text[]        gate
--   $60 text[]        lane
--   $61 timestamptz[] run_at
--   $62 int[]         n
--   $63 text[]        kind
--   $64 text[]        environment
--   $65 timestamptz[] at
--   $66 text[]        key
--   $67 text[]        value
--   $68 bool[]        adds
--   $69 int[]         n
--   $70 text[]        kind
--   $71 text[]        environment
--   $72 timestamptz[] at
--   $73 text[]        key
--   $74 int[]         n
--   $75 text[]        merchant_id
--   $76 text[]        id
--   $77 text[]        environment
--   $78 timestamptz[] at
--   $79 text[]        action
--   $80 text[]        actor_id
--   $81 text[]        target_id
--   $82 text[]        entry
explain (generic_plan)
with agent_given as materialized (
  select g.* from (
    select count(taken) from (
      select pg_advisory_xact_lock(7001, scope) is null as taken
      from (select distinct hashtext(m) as scope from unnest($3::text[]) as m order by 1 offset 0) o offset 0
    ) l
  ) turn cross join unnest($2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::bool[], $8::bool[], $9::text[])
    as g(n, merchant_id, id, version, canonical, active, removed, state)
), agent_held as materialized (
  select g.*, t.place, t.found
  from (select * from agent_given where version > 0 order by merchant_id, id offset 0) g
  cross join lateral (
    select ctid as place, version as found from agent
    where merchant_id = g.merchant_id and id = g.id and version = g.version
    offset 0 for update
  ) t
), sign_in_link_given as materialized (
  select g.* from unnest($10::int[], $11::text[], $12::int[], $13::int[], $14::text[], $15::timestamptz[], $16::text[])
    as g(n, merchant_id, id, version, hash, expires_at, state)
), sign_in_link_held as materialized (
  select g.*, t.place, t.found
  from (select * from sign_in_link_given where version > 0 order by merchant_id, id offset 0) g
  cross join lateral (
    select ctid as place, version as found from sign_in_link
    where merchant_id = g.merchant_id and id = g.id and version = g.version
    offset 0 for update
  ) t
), session_given as materialized (
  select g.* from unnest($17::int[], $18::text[], $19::text[], $20::int[], $21::int[], $22::text[], $23::timestamptz[], $24::timestamptz[], $25::timestamptz[], $26::text[], $27::int[])
    as g(n, merchant_id, id, version, agent_id, hash, signed_in_at, last_used_at, ended_at, state, proven_era)
), session_held as materialized (
  select g.*, t.place, t.found
  from (select * from session_given where version > 0 order by merchant_id, id offset 0) g
  cross join lateral (
    select ctid as place, version as found from session
    where merchant_id = g.merchant_id and id = g.id and version = g.version
    offset 0 for update
  ) t
), found as materialized (
  select n, count(*)::int as hits from (select n from agent_held union all select n from sign_in_link_held union all select n from session_held) h group by n
), ok as materialized (
  select n::int as n from unnest($1::int[]) with ordinality as c(guards, n)
  where (guards = 0 or ((n::int, guards) in (select n, hits from found)) is true)
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($28::int[], $29::text[], $30::int[], $31::bigint[], $32::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($33::int[], $34::text[], $35::text[], $36::bigint[], $37::text[], $38::text[], $39::bigint[], $40::text[], $41::text[], $42::timestamptz[])
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
    select t.place, t.attempt from unnest($43::int[], $44::text[], $45::int[])
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
  from unnest($46::int[], $47::text[], $48::text[], $49::text[], $50::timestamptz[], $51::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($52::int[], $53::text[], $54::text[], $55::text[], $56::text[], $57::timestamptz[], $58::int[], $59::text[], $60::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($61::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($62::int[], $63::text[], $64::text[], $65::timestamptz[], $66::text[], $67::text[], $68::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($69::int[], $70::text[], $71::text[], $72::timestamptz[], $73::text[])
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
  from unnest($74::int[], $75::text[], $76::text[], $77::text[], $78::timestamptz[], $79::text[], $80::text[], $81::text[], $82::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
), agent_known as (
  update agent t set version = g.version + 1, canonical = g.canonical, active = g.active, removed = g.removed, state = g.state
  from agent_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), agent_fresh as (
  insert into agent (merchant_id, id, version, canonical, active, removed, state)
  select merchant_id, id, 1, canonical, active, removed, state from agent_given
  where version = 0 and (n in (select n from ok)) is true order by merchant_id, id
), sign_in_link_known as (
  update sign_in_link t set version = g.version + 1, hash = g.hash, expires_at = g.expires_at, state = g.state
  from sign_in_link_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), sign_in_link_fresh as (
  insert into sign_in_link (merchant_id, id, version, hash, expires_at, state)
  select merchant_id, id, 1, hash, expires_at, state from sign_in_link_given
  where version = 0 and (n in (select n from ok)) is true order by merchant_id, id
), session_known as (
  update session t set version = g.version + 1, ended_at = g.ended_at
  from session_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), session_fresh as (
  insert into session (merchant_id, id, version, agent_id, hash, signed_in_at, last_used_at, ended_at, state, proven_era)
  select merchant_id, id, 1, agent_id, hash, signed_in_at, last_used_at, ended_at, state, proven_era from session_given
  where version = 0 and (n in (select n from ok)) is true order by merchant_id, id
)
select n, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;
