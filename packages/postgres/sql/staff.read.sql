-- The statements of "staff.read", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f staff.read.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads the agents and teams of merchants.
--   $1  text[]        merchant_id
explain (generic_plan)
select i.n::int, true, a.merchant_id, a.id, a.version, a.canonical, a.state, null::bool
from unnest($1::text[]) with ordinality as i(merchant_id, n)
cross join lateral (select * from agent where merchant_id = i.merchant_id and (not removed) is true order by id offset 0) a
union all
select i.n::int, false, t.merchant_id, t.id, t.version, t.canonical, t.state, t.takes_new
from unnest($1::text[]) with ordinality as i(merchant_id, n)
cross join lateral (select * from team where merchant_id = i.merchant_id and (not removed) is true order by id offset 0) t;

-- Loads sessions with their agent and merchant.
--   $1  text[]        hash
explain (generic_plan)
select i.n::int, a.merchant_id, a.id, a.version, a.canonical, a.state, m.name, m.status, m.created_at,
  (select id from environment where merchant_id = m.id and kind = 'live' offset 0),
  (select id from environment where merchant_id = m.id and kind = 'test' offset 0), s.merchant_id, s.id, s.version, s.agent_id, s.hash, s.signed_in_at, s.last_used_at, s.ended_at, s.state
from unnest($1::text[]) with ordinality as i(hash, n)
cross join lateral (select * from session where hash = i.hash offset 0) s
cross join lateral (select * from agent where merchant_id = s.merchant_id and id = s.agent_id offset 0) a
cross join lateral (select * from merchant where id = a.merchant_id offset 0) m;

-- Loads a sign-in link with its agent and merchant.
--   $1                hash
explain (generic_plan)
select a.merchant_id, a.id, a.version, a.canonical, a.state, m.name, m.status, m.created_at,
  (select id from environment where merchant_id = m.id and kind = 'live' offset 0),
  (select id from environment where merchant_id = m.id and kind = 'test' offset 0), l.merchant_id, l.id, l.version, l.hash, l.expires_at, l.state
from sign_in_link l
cross join lateral (select * from agent where merchant_id = l.merchant_id and id = l.id offset 0) a
cross join lateral (select * from merchant where id = a.merchant_id offset 0) m
where l.hash = $1;

-- Lists the memberships of an address.
--   $1                canonical
explain (generic_plan)
select a.merchant_id, a.id, a.version, a.canonical, a.state, m.name, m.status, m.created_at,
  (select id from environment where merchant_id = m.id and kind = 'live' offset 0),
  (select id from environment where merchant_id = m.id and kind = 'test' offset 0), s.proven_era, s.last_used_at
from agent a cross join lateral (select * from merchant where id = a.merchant_id offset 0) m
left join lateral (
  select proven_era, last_used_at from session
  where merchant_id = a.merchant_id and agent_id = a.id and proven_era is not null
  order by proven_era desc, last_used_at desc limit 1
) s on true
where a.canonical = $1 and not a.removed order by a.merchant_id;

-- Loads a membership.
--   $1                merchant_id
--   $2                id
explain (generic_plan)
select a.merchant_id, a.id, a.version, a.canonical, a.state, m.name, m.status, m.created_at,
  (select id from environment where merchant_id = m.id and kind = 'live' offset 0),
  (select id from environment where merchant_id = m.id and kind = 'test' offset 0) from agent a cross join lateral (select * from merchant where id = a.merchant_id offset 0) m
where a.merchant_id = $1 and a.id = $2 and (not a.removed) is true;

-- Lists the sessions of an agent.
--   $1                merchant_id
--   $2                agent_id
explain (generic_plan)
select s.merchant_id, s.id, s.version, s.agent_id, s.hash, s.signed_in_at, s.last_used_at, s.ended_at, s.state from session s where merchant_id = $1 and agent_id = $2 and ended_at is null order by id;

-- Loads the sign-in link of an agent.
--   $1                merchant_id
--   $2                id
explain (generic_plan)
select l.merchant_id, l.id, l.version, l.hash, l.expires_at, l.state from sign_in_link l where merchant_id = $1 and id = $2;
