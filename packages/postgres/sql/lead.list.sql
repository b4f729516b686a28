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
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from place p
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
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from place p
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
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from place p
cross join lateral (select * from lead where environment = $1 and id = p.id offset 0) l
order by p.active_at asc, p.id asc;

-- Lists leads with a label.
--   $1                environment
--   $2                owner
--   $3
--   $4  timestamptz
--   $5  int
--   $6  int
explain (generic_plan)
with place as materialized (
  select id, active_at from (
    (
      select id, active_at from lead where labels <> '' and string_to_array(labels, ' ') @> array[$3] and (environment = $1) is true and (owner = $2) is true and true and (active_at, id) < ($4::timestamptz, $5::int)
      order by active_at desc, id desc limit 0::bigint + $6::int
    )
  ) w order by active_at desc, id desc offset 0::bigint limit $6::int
)
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from place p
cross join lateral (select * from lead where environment = $1 and id = p.id offset 0) l
order by p.active_at desc, p.id desc;

-- Lists the labels of a merchant.
--   $1                merchant_id
explain (generic_plan)
select l.merchant_id, l.id, l.state from lead_label l where merchant_id = $1 order by id;

-- Adds, changes or removes a label.
--   $1                merchant_id
--   $2                id
--   $3                canonical
--   $4                state
--   $5
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
with gone as (
  delete from lead_label where merchant_id = $1 and id = $2 and $5 = 'removed' returning id
), known as (
  update lead_label set canonical = $3, state = $4 where merchant_id = $1 and id = $2 and $5 = 'changed' returning id
), fresh as (
  insert into lead_label (merchant_id, id, canonical, state) select $1, $2, $3, $4 where $5 = 'added'
  on conflict do nothing
  returning id
), ok as materialized (
  select 1 as n from gone union all select 1 from known union all select 1 from fresh
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
select n, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;

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
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from place p
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
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from unnest($1::text[]) as e(environment)
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
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from lead l
where environment = $1 and phone_end >= reverse($2) and phone_end < reverse($2) || chr(1114111)
order by phone_end limit $3::int;

-- Searches leads by one word.
--   $1                environment
--   $2  text[]        word
--   $3  int
--   $4  int
explain (generic_plan)
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from (
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
select l.environment, l.id, l.version, l.contact, l.phone, l.user_id, l.owner, l.team, l.open, nullif(l.active_at, '-infinity'), l.labels, l.state from found f
cross join lateral (select * from lead where environment = $1 and id = f.lead_id offset 0) l;
