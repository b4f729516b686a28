-- The statements of "campaign.commit", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f campaign.commit.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Commits changes of recipients.
--   $1  int[]         guards
--   $2  int[]         n
--   $3  text[]        environment
--   $4  text[]        campaign_id
--   $5  int[]         number
--   $6  int[]         version
--   $7  text[]        phone
--   $8  int[]         open
--   $9  timestamptz[] handed_at
--   $10 text[]        status
--   $11 text[]        provider_id
--   $12 text[]        state
--   $13 int[]         n
--   $14 text[]        key
--   $15 text[]        environment
--   $16 text[]        kind
--   $17 text[]        payload
--   $18 timestamptz[] run_at
--   $19 int[]         attempt
--   $20 text[]        gate
--   $21 text[]        lane
explain (generic_plan)
with recipient_given as materialized (
  select g.* from unnest($2::int[], $3::text[], $4::text[], $5::int[], $6::int[], $7::text[], $8::int[], $9::timestamptz[], $10::text[], $11::text[], $12::text[])
    as g(n, environment, campaign_id, number, version, phone, open, handed_at, status, provider_id, state)
), recipient_held as materialized (
  select g.*, t.place, t.found
  from (select * from recipient_given where version > 0 order by environment, campaign_id, number offset 0) g
  cross join lateral (
    select ctid as place, version as found from recipient
    where environment = g.environment and campaign_id = g.campaign_id and number = g.number and version = g.version
    offset 0 for update
  ) t
), found as materialized (
  select n, count(*)::int as hits from (select n from recipient_held) h group by n
), ok as materialized (
  select n::int as n from unnest($1::int[]) with ordinality as c(guards, n)
  where (guards = 0 or ((n::int, guards) in (select n, hits from found)) is true)
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($13::int[], $14::text[], $15::text[], $16::text[], $17::text[], $18::timestamptz[], $19::int[], $20::text[], $21::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true
  order by key
  on conflict (key) do nothing
), recipient_known as (
  update recipient t set version = g.version + 1, phone = g.phone, open = g.open, handed_at = g.handed_at, status = g.status, provider_id = g.provider_id, state = g.state
  from recipient_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), recipient_fresh as (
  insert into recipient (environment, campaign_id, number, version, phone, open, handed_at, status, provider_id, state)
  select environment, campaign_id, number, 1, phone, open, handed_at, status, provider_id, state from recipient_given
  where version = 0 and (n in (select n from ok)) is true order by environment, campaign_id, number
)
select n from ok;

-- Commits changes of campaigns and recipients.
--   $1  int[]         guards
--   $2  int[]         n
--   $3  text[]        environment
--   $4  text[]        id
--   $5  int[]         version
--   $6  text[]        text_id
--   $7  int[]         text_version
--   $8  text[]        command
--   $9  bool[]        counted
--   $10 timestamptz[] finished_at
--   $11 text[]        state
--   $12 int[]         n
--   $13 text[]        environment
--   $14 text[]        campaign_id
--   $15 int[]         number
--   $16 int[]         version
--   $17 text[]        phone
--   $18 int[]         open
--   $19 timestamptz[] handed_at
--   $20 text[]        status
--   $21 text[]        provider_id
--   $22 text[]        state
--   $23 int[]         n
--   $24 text[]        environment
--   $25 int[]         version
--   $26 bigint[]      credit_limit
--   $27 bool[]        is_low
--   $28 int[]         n
--   $29 text[]        environment
--   $30 text[]        kind
--   $31 bigint[]      amount
--   $32 text[]        channel
--   $33 text[]        day
--   $34 bigint[]      cap
--   $35 text[]        reference
--   $36 text[]        item
--   $37 timestamptz[] at
--   $38 int[]         n
--   $39 text[]        key
--   $40 int[]         attempt
--   $41 int[]         n
--   $42 text[]        environment
--   $43 text[]        id
--   $44 text[]        type
--   $45 timestamptz[] created_at
--   $46 text[]        data
--   $47 int[]         n
--   $48 text[]        key
--   $49 text[]        environment
--   $50 text[]        kind
--   $51 text[]        payload
--   $52 timestamptz[] run_at
--   $53 int[]         attempt
--   $54 text[]        gate
--   $55 text[]        lane
--   $56 timestamptz[] run_at
--   $57 int[]         n
--   $58 text[]        kind
--   $59 text[]        environment
--   $60 timestamptz[] at
--   $61 text[]        key
--   $62 text[]        value
--   $63 bool[]        adds
--   $64 int[]         n
--   $65 text[]        kind
--   $66 text[]        environment
--   $67 timestamptz[] at
--   $68 text[]        key
--   $69 int[]         n
--   $70 text[]        merchant_id
--   $71 text[]        id
--   $72 text[]        environment
--   $73 timestamptz[] at
--   $74 text[]        action
--   $75 text[]        actor_id
--   $76 text[]        target_id
--   $77 text[]        entry
explain (generic_plan)
with campaign_given as materialized (
  select g.* from unnest($2::int[], $3::text[], $4::text[], $5::int[], $6::text[], $7::int[], $8::text[], $9::bool[], $10::timestamptz[], $11::text[])
    as g(n, environment, id, version, text_id, text_version, command, counted, finished_at, state)
), campaign_held as materialized (
  select g.*, t.place, t.found
  from (select * from campaign_given where version > 0 order by environment, id offset 0) g
  cross join lateral (
    select ctid as place, version as found from campaign
    where environment = g.environment and id = g.id and version = g.version
    offset 0 for update
  ) t
), recipient_given as materialized (
  select g.* from unnest($12::int[], $13::text[], $14::text[], $15::int[], $16::int[], $17::text[], $18::int[], $19::timestamptz[], $20::text[], $21::text[], $22::text[])
    as g(n, environment, campaign_id, number, version, phone, open, handed_at, status, provider_id, state)
), recipient_held as materialized (
  select g.*, t.place, t.found
  from (select * from recipient_given where version > 0 order by environment, campaign_id, number offset 0) g
  cross join lateral (
    select ctid as place, version as found from recipient
    where environment = g.environment and campaign_id = g.campaign_id and number = g.number and version = g.version
    offset 0 for update
  ) t
), found as materialized (
  select n, count(*)::int as hits from (select n from campaign_held union all select n from recipient_held) h group by n
), taken as materialized (
  select g.n from campaign_given g cross join lateral (
    select id from campaign where environment = g.environment and command = g.command and command is not null offset 0
  ) t where g.version = 0
), ok as materialized (
  select n::int as n from unnest($1::int[]) with ordinality as c(guards, n)
  where (guards = 0 or ((n::int, guards) in (select n, hits from found)) is true) and ((n::int) in (select n from taken)) is not true
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($23::int[], $24::text[], $25::int[], $26::bigint[], $27::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($28::int[], $29::text[], $30::text[], $31::bigint[], $32::text[], $33::text[], $34::bigint[], $35::text[], $36::text[], $37::timestamptz[])
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
    select t.place, t.attempt from unnest($38::int[], $39::text[], $40::int[])
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
  from unnest($41::int[], $42::text[], $43::text[], $44::text[], $45::timestamptz[], $46::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($47::int[], $48::text[], $49::text[], $50::text[], $51::text[], $52::timestamptz[], $53::int[], $54::text[], $55::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($56::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($57::int[], $58::text[], $59::text[], $60::timestamptz[], $61::text[], $62::text[], $63::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($64::int[], $65::text[], $66::text[], $67::timestamptz[], $68::text[])
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
  from unnest($69::int[], $70::text[], $71::text[], $72::text[], $73::timestamptz[], $74::text[], $75::text[], $76::text[], $77::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
), campaign_known as (
  update campaign t set version = g.version + 1, text_id = g.text_id, text_version = g.text_version, command = g.command, counted = g.counted, finished_at = g.finished_at, state = g.state
  from campaign_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), campaign_fresh as (
  insert into campaign (environment, id, version, text_id, text_version, command, counted, finished_at, state)
  select environment, id, 1, text_id, text_version, command, counted, finished_at, state from campaign_given
  where version = 0 and (n in (select n from ok)) is true order by environment, id
), recipient_known as (
  update recipient t set version = g.version + 1, phone = g.phone, open = g.open, handed_at = g.handed_at, status = g.status, provider_id = g.provider_id, state = g.state
  from recipient_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), recipient_fresh as (
  insert into recipient (environment, campaign_id, number, version, phone, open, handed_at, status, provider_id, state)
  select environment, campaign_id, number, 1, phone, open, handed_at, status, provider_id, state from recipient_given
  where version = 0 and (n in (select n from ok)) is true order by environment, campaign_id, number
)
select n, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;

-- Adds recipients.
--   $1  text[]        environment
--   $2  text[]        campaign_id
--   $3  int[]         number
--   $4  int[]         version
--   $5  text[]        phone
--   $6  int[]         open
--   $7  timestamptz[] handed_at
--   $8  text[]        status
--   $9  text[]        provider_id
--   $10 text[]        state
explain (generic_plan)
insert into recipient (environment, campaign_id, number, version, phone, open, handed_at, status, provider_id, state)
  select environment, campaign_id, number, 1, phone, open, handed_at, status, provider_id, state
from unnest($1::text[], $2::text[], $3::int[], $4::int[], $5::text[], $6::int[], $7::timestamptz[], $8::text[], $9::text[], $10::text[])
    as r(environment, campaign_id, number, version, phone, open, handed_at, status, provider_id, state)
order by environment, campaign_id, number
on conflict (environment, campaign_id, number) do nothing;
