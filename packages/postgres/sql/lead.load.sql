-- The statements of "lead.load", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f lead.load.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads leads.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, l.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from lead l where l.environment = i.environment and l.id = i.id::int offset 0
) l;

-- Loads messages.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, m.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select m.environment, m.id, m.version, m.lead_id, m.kind, m.at, m.provider_id, m.about, m.state from lead_message m where m.environment = i.environment and m.id = i.id offset 0
) m;

-- Finds customers' leads, and the messages that exist already.
--   $1  text[]        environment
--   $2  text[]        phone
--   $3  text[]        user_id
--   $4  int[]         n
--   $5  text[]        environment
--   $6  text[]        provider_id
explain (generic_plan)
select i.n::int, null::text, l.*
from unnest($1::text[], $2::text[], $3::text[]) with ordinality as i(environment, phone, user_id, n)
cross join lateral (
  select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from (
    select *, 1 as turn from lead where environment = i.environment and phone_end = reverse(i.phone)
    union all
    select *, 2 from lead where environment = i.environment and user_id = i.user_id
  ) l order by l.turn limit 1
) l
union all
select i.n, m.provider_id, null, null, null, null, null, null, null, null, null, null, null, null
from unnest($4::int[], $5::text[], $6::text[]) as i(n, environment, provider_id)
cross join lateral (
  select provider_id from lead_message
  where environment = i.environment and provider_id = i.provider_id offset 0
) m;

-- Reads the messages of a lead.
--   $1                environment
--   $2                lead_id
--   $3  int
--   $4  timestamptz
--   $5
explain (generic_plan)
select m.environment, m.id, m.version, m.lead_id, m.kind, m.at, m.provider_id, m.about, m.state from lead_message m
where environment = $1 and lead_id = $2 and kind = 'MESSAGE' and (at, id) < ($4::timestamptz, $5)
order by at desc, id desc limit $3::int;

-- Reads reactions and edits of messages.
--   $1                environment
--   $2  text[]        about
--   $3  int           lead_id
explain (generic_plan)
select m.environment, m.id, m.version, m.lead_id, m.kind, m.at, m.provider_id, m.about, m.state from (select distinct about from unnest($2::text[]) as i(about)) i
cross join lateral (
  select *, row_number() over (partition by kind, lead_id order by at desc, id desc) as turn from lead_message
  where environment = $1 and about = i.about and (lead_id is null or lead_id = $3::int) is true
) m where m.turn <= 10;

-- Reads the history of a lead.
--   $1                environment
--   $2                lead_id
--   $3  int
--   $4                number
explain (generic_plan)
select e.environment, e.lead_id, e.number, e.state from lead_entry e
where environment = $1 and lead_id = $2 and number < $4
order by number desc limit $3::int;
