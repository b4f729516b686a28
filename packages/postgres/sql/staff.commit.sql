-- The statements of "staff.commit", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f staff.commit.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Commits changes of agents, teams, sign-in links and sessions.
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
--   $14 text[]        canonical
--   $15 bool[]        removed
--   $16 text[]        state
--   $17 bool[]        takes_new
--   $18 int[]         n
--   $19 text[]        merchant_id
--   $20 int[]         id
--   $21 int[]         version
--   $22 text[]        hash
--   $23 timestamptz[] expires_at
--   $24 text[]        state
--   $25 int[]         n
--   $26 text[]        merchant_id
--   $27 text[]        id
--   $28 int[]         version
--   $29 int[]         agent_id
--   $30 text[]        hash
--   $31 timestamptz[] signed_in_at
--   $32 timestamptz[] last_used_at
--   $33 timestamptz[] ended_at
--   $34 text[]        state
--   $35 int[]         proven_era
--   $36 int[]         n
--   $37 text[]        environment
--   $38 int[]         version
--   $39 bigint[]      credit_limit
--   $40 bool[]        is_low
--   $41 int[]         n
--   $42 text[]        environment
--   $43 text[]        kind
--   $44 bigint[]      amount
--   $45 text[]        channel
--   $46 text[]        day
--   $47 bigint[]      cap
--   $48 text[]        reference
--   $49 text[]        item
--   $50 timestamptz[] at
--   $51 int[]         n
--   $52 text[]        key
--   $53 int[]         attempt
--   $54 int[]         n
--   $55 text[]        environment
--   $56 text[]        id
--   $57 text[]        type
--   $58 timestamptz[] created_at
--   $59 text[]        data
--   $60 int[]         n
--   $61 text[]        key
--   $62 text[]        environment
--   $63 text[]        kind
--   $64 text[]        payload
--   $65 timestamptz[] run_at
--   $66 int[]         attempt
--   $67 text[]        gate
--   $68 text[]        lane
--   $69 timestamptz[] run_at
--   $70 int[]         n
--   $71 text[]        kind
--   $72 text[]        environment
--   $73 timestamptz[] at
--   $74 text[]        key
--   $75 text[]        value
--   $76 bool[]        adds
--   $77 int[]         n
--   $78 text[]        kind
--   $79 text[]        environment
--   $80 timestamptz[] at
--   $81 text[]        key
--   $82 int[]         n
--   $83 text[]        merchant_id
--   $84 text[]        id
--   $85 text[]        environment
--   $86 timestamptz[] at
--   $87 text[]        action
--   $88 text[]        actor_id
--   $89 text[]        target_id
--   $90 text[]        entry
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
), team_given as materialized (
  select g.* from (
    select count(taken) from (
      select pg_advisory_xact_lock(7002, scope) is null as taken
      from (select distinct hashtext(m) as scope from unnest($11::text[]) as m order by 1 offset 0) o offset 0
    ) l
  ) turn cross join unnest($10::int[], $11::text[], $12::int[], $13::int[], $14::text[], $15::bool[], $16::text[], $17::bool[])
    as g(n, merchant_id, id, version, canonical, removed, state, takes_new)
), team_held as materialized (
  select g.*, t.place, t.found
  from (select * from team_given where version > 0 order by merchant_id, id offset 0) g
  cross join lateral (
    select ctid as place, version as found from team
    where merchant_id = g.merchant_id and id = g.id and version = g.version
    offset 0 for update
  ) t
), sign_in_link_given as materialized (
  select g.* from unnest($18::int[], $19::text[], $20::int[], $21::int[], $22::text[], $23::timestamptz[], $24::text[])
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
  select g.* from unnest($25::int[], $26::text[], $27::text[], $28::int[], $29::int[], $30::text[], $31::timestamptz[], $32::timestamptz[], $33::timestamptz[], $34::text[], $35::int[])
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
  select n, count(*)::int as hits from (select n from agent_held union all select n from team_held union all select n from sign_in_link_held union all select n from session_held) h group by n
), ok as materialized (
  select n::int as n from unnest($1::int[]) with ordinality as c(guards, n)
  where (guards = 0 or ((n::int, guards) in (select n, hits from found)) is true)
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($36::int[], $37::text[], $38::int[], $39::bigint[], $40::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($41::int[], $42::text[], $43::text[], $44::bigint[], $45::text[], $46::text[], $47::bigint[], $48::text[], $49::text[], $50::timestamptz[])
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
    select t.place, t.attempt from unnest($51::int[], $52::text[], $53::int[])
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
  from unnest($54::int[], $55::text[], $56::text[], $57::text[], $58::timestamptz[], $59::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($60::int[], $61::text[], $62::text[], $63::text[], $64::text[], $65::timestamptz[], $66::int[], $67::text[], $68::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($69::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($70::int[], $71::text[], $72::text[], $73::timestamptz[], $74::text[], $75::text[], $76::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($77::int[], $78::text[], $79::text[], $80::timestamptz[], $81::text[])
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
  from unnest($82::int[], $83::text[], $84::text[], $85::text[], $86::timestamptz[], $87::text[], $88::text[], $89::text[], $90::text[])
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
), team_known as (
  update team t set version = g.version + 1, canonical = g.canonical, removed = g.removed, state = g.state, takes_new = g.takes_new
  from team_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), team_fresh as (
  insert into team (merchant_id, id, version, canonical, removed, state, takes_new)
  select merchant_id, id, 1, canonical, removed, state, takes_new from team_given
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
