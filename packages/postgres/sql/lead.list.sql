-- The statements of "lead.list", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f lead.list.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Lists leads by page.
--   $1                environment
--   $2  bigint
--   $3  int
explain (generic_plan)
with place as materialized (
  select id, active_at from (
    (
      select id, active_at from lead where environment = $1 and id > 0 and open = true
      order by active_at desc, id desc limit $2::bigint + $3::int
    ) union all (
      select id, active_at from lead where environment = $1 and id > 0 and open = false
      order by active_at desc, id desc limit $2::bigint + $3::int
    )
  ) w order by active_at desc, id desc offset $2::bigint limit $3::int
)
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.state from place p
cross join lateral (select * from lead where environment = $1 and id = p.id offset 0) l
order by p.active_at desc, p.id desc;

-- Lists leads after a cursor.
--   $1                environment
--   $2                owner
--   $3                team
--   $4  timestamptz
--   $5  int
--   $6  int
explain (generic_plan)
with place as materialized (
  select id, active_at from (
    (
      select id, active_at from lead where environment = $1 and owner = $2 and team = $3 and owner <> 0 and team <> 0 and open = true and (active_at, id) < ($4::timestamptz, $5::int)
      order by active_at desc, id desc limit 0::bigint + $6::int
    ) union all (
      select id, active_at from lead where environment = $1 and owner = $2 and team = $3 and owner <> 0 and team <> 0 and open = false and (active_at, id) < ($4::timestamptz, $5::int)
      order by active_at desc, id desc limit 0::bigint + $6::int
    )
  ) w order by active_at desc, id desc offset 0::bigint limit $6::int
)
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.state from place p
cross join lateral (select * from lead where environment = $1 and id = p.id offset 0) l
order by p.active_at desc, p.id desc;

-- Lists leads with a later message than a cursor.
--   $1                environment
--   $2                owner
--   $3  timestamptz
--   $4  int
--   $5  int
explain (generic_plan)
with place as materialized (
  select id, active_at from (
    (
      select id, active_at from lead where environment = $1 and owner = $2 and owner >= 0 and open = true and (active_at, id) > ($3::timestamptz, $4::int)
      order by active_at asc, id asc limit 0::bigint + $5::int
    )
  ) w order by active_at asc, id asc offset 0::bigint limit $5::int
)
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.state from place p
cross join lateral (select * from lead where environment = $1 and id = p.id offset 0) l
order by p.active_at asc, p.id asc;

-- Lists waiting leads.
--   $1                environment
--   $2  int
--   $3  timestamptz   waiting_at
--   $4  timestamptz
--   $5  int
--   $6                owner
--   $7                team
explain (generic_plan)
with place as materialized (
  select id, waiting_at from lead
  where environment = $1 and waiting_at <= $3::timestamptz and (waiting_at, id) > ($4::timestamptz, $5::int) and (owner = $6) is true and (team = $7) is true
  order by waiting_at, id limit $2::int
)
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.state from place p
cross join lateral (select * from lead where environment = $1 and id = p.id offset 0) l
order by p.waiting_at, p.id;

-- Counts waiting leads.
--   $1                environment
--   $2  int
--   $3  timestamptz   waiting_at
explain (generic_plan)
select count(*)::int, min(waiting_at) from (
  select waiting_at from lead where environment = $1 and waiting_at <= $3::timestamptz order by waiting_at, id limit $2::int
) w;

-- Reads the latest message of leads.
--   $1                environment
--   $2  int[]         lead_id
explain (generic_plan)
with last as materialized (
  select m.* from unnest($2::int[]) as i(lead_id)
  cross join lateral (
    select * from lead_message where environment = $1 and lead_id = i.lead_id and kind = 'MESSAGE'
    order by at desc, id desc limit 1
  ) m
)
select m.environment, m.id, m.version, m.lead_id, m.kind, m.at, m.provider_id, m.about, m.state from last m
union all
select a.environment, a.id, a.version, a.lead_id, a.kind, a.at, a.provider_id, a.about, a.state from last m
cross join lateral (
  select *, row_number() over (partition by kind, lead_id order by at desc, id desc) as turn from lead_message
  where environment = $1 and about = m.provider_id and (lead_id is null or lead_id = m.lead_id) is true
) a where a.turn <= 10;

-- Reads how far an agent has read leads.
--   $1                environment
--   $2  int           agent_id
--   $3  int[]         lead_id
explain (generic_plan)
select r.environment, r.agent_id, r.lead_id, r.seen, r.unread from unnest($3::int[]) as i(lead_id)
cross join lateral (
  select * from lead_read where environment = $1 and agent_id = $2::int and lead_id = i.lead_id offset 0
) r;

-- Saves how far an agent has read a lead.
--   $1  text          environment
--   $2  int
--   $3  int           id
--   $4  int
--   $5  bool
explain (generic_plan)
with saved as (
  insert into lead_read (environment, agent_id, lead_id, seen, unread)
  select $1::text, $2::int, $3::int, $4::int, $5::bool
  where exists (select from lead where environment = $1 and id = $3)
  on conflict (environment, agent_id, lead_id) do update set seen = excluded.seen, unread = excluded.unread
  returning environment, lead_id, agent_id
)
insert into lead_change (environment, lead_id, agent_id) select environment, lead_id, agent_id from saved;

-- Forgets how far an agent has read leads.
--   $1  text[]        environment
--   $2  int           agent_id
--   $3  int
explain (generic_plan)
delete from lead_read where ctid = any(array(
  select r.place from unnest($1::text[]) as e(environment)
  cross join lateral (
    select ctid as place from lead_read
    where environment = e.environment and agent_id = $2::int limit $3::int
  ) r limit $3::int
)) returning 1;

-- Lists the leads that changed a moment ago.
--   $1                environment
--   $2  timestamptz   waiting_at
--   $3  timestamptz   waiting_at
--   $4  int
explain (generic_plan)
(select id::text, lead_id, agent_id from lead_change
where environment = $1 and at > clock_timestamp() - interval '10000 milliseconds' order by at desc limit $4::int)
union all
(select concat(id, ':', extract(epoch from waiting_at)), id, 0 from lead
where environment = $1 and waiting_at > $2::timestamptz and waiting_at <= $3::timestamptz order by waiting_at limit $4::int);

-- Deletes old changes of leads.
--   $1  int
--   $2
explain (generic_plan)
delete from lead_change where ctid = any(array(
  select ctid from lead_change where at < clock_timestamp() - $1::int * interval '1 millisecond'
  limit $2 for update skip locked
)) returning 1;

-- Lists the leads of an agent.
--   $1  text[]        environment
--   $2                owner
--   $3  int
explain (generic_plan)
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.state from unnest($1::text[]) as e(environment)
cross join lateral (
  select id from lead where environment = e.environment and owner = $2 and owner >= 0 order by open, active_at, id limit $3::int
) o
cross join lateral (select * from lead where environment = e.environment and id = o.id offset 0) l
limit $3::int;

-- Counts the open leads of agents.
--   $1                environment
--   $2  int[]         id
--   $3  int
explain (generic_plan)
select a.id, c.many::int from unnest($2::int[]) as a(id)
cross join lateral (
  select count(*) as many from (
    select from lead where environment = $1 and owner = a.id and owner >= 0 and open = true limit $3::int
  ) l
) c;

-- Searches leads by the end of a number.
--   $1                environment
--   $2
--   $3  int
explain (generic_plan)
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.state from lead l
where environment = $1 and phone_end >= reverse($2) and phone_end < reverse($2) || chr(1114111)
order by phone_end limit $3::int;

-- Searches leads by one word.
--   $1                environment
--   $2  text[]        word
--   $3  int
--   $4  int
explain (generic_plan)
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.state from (
  select e.lead_id from unnest($2::text[]) as w(word)
  cross join lateral (
    select word, lead_id, words from lead_word
    where environment = $1 and word >= w.word and word < w.word || chr(1114111) order by word, lead_id limit $4::int
  ) e
  where not exists (select 1 from unnest($2::text[]) as o(word) where strpos(' ' || e.words, ' ' || o.word) = 0)
    and strpos(' ' || e.words || ' ', ' ' || w.word) = strpos(' ' || e.words || ' ', ' ' || e.word || ' ')
  limit $3::int
) f
cross join lateral (select * from lead where environment = $1 and id = f.lead_id offset 0) l;

-- Searches leads by several words.
--   $1                environment
--   $2  text[]        word
--   $3  int
explain (generic_plan)
with rare as materialized (
  select w.word, c.many from unnest($2::text[]) with ordinality as w(word, n)
  cross join lateral (select count(*) as many from (
    select word, lead_id, words from lead_word
    where environment = $1 and word >= w.word and word < w.word || chr(1114111) order by word, lead_id limit 200
  ) e) c
  order by c.many, length(w.word) desc, w.n limit 1
), quick as materialized (
  select e.lead_id from rare w
  cross join lateral (
    select word, lead_id, words from lead_word
    where environment = $1 and word >= w.word and word < w.word || chr(1114111) order by word, lead_id limit 1000
  ) e
  where not exists (select 1 from unnest($2::text[]) as o(word) where strpos(' ' || e.words, ' ' || o.word) = 0)
    and strpos(' ' || e.words || ' ', ' ' || w.word) = strpos(' ' || e.words || ' ', ' ' || e.word || ' ')
  limit $3::int
), enough as materialized (
  select (select many from rare) < 200 or (select count(*) from quick) >= $3::int as is
), rarer as materialized (
  select w.word, c.many from unnest($2::text[]) with ordinality as w(word, n)
  cross join lateral (select count(*) as many from (
    select word, lead_id, words from lead_word
    where environment = $1 and word >= w.word and word < w.word || chr(1114111) order by word, lead_id limit 10000
  ) e) c
  order by c.many, length(w.word) desc, w.n limit 1
), found as materialized (
  select lead_id from quick where (select e.is from enough e)
  union all
  (
  select e.lead_id from (select * from rarer where not (select e.is from enough e)) w
  cross join lateral (
    select word, lead_id, words from lead_word
    where environment = $1 and word >= w.word and word < w.word || chr(1114111) order by word, lead_id limit 10000
  ) e
  where not exists (select 1 from unnest($2::text[]) as o(word) where strpos(' ' || e.words, ' ' || o.word) = 0)
    and strpos(' ' || e.words || ' ', ' ' || w.word) = strpos(' ' || e.words || ' ', ' ' || e.word || ' ')
  limit $3::int
  )
)
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.state from found f
cross join lateral (select * from lead where environment = $1 and id = f.lead_id offset 0) l;
