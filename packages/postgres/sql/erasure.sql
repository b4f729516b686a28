-- The statements of "erasure", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f erasure.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Commits a step of an erasure, or of retention.
--   $1                environment
--   $2  text
--   $3  int           version
--   $4
--   $5                state
--   $6  text[]        canonical
--   $7  int[]         version
--   $8  text[]        state
--   $9  bool[]        forgets
--   $10 int
--   $11 int
--   $12
--   $13 text[]        id
--   $14 int[]         version
--   $15 text[]        id
--   $16 text[]        id
--   $17 text[]        verification
--   $18 text[]        kind
--   $19 text[]        id
--   $20 text[]        kind
--   $21 text[]        key
--   $22 text[]        id
--   $23 text[]        data
--   $24 text[]        endpoint
--   $25 text[]        key
--   $26 text[]        key
--   $27 int[]         n
--   $28 text[]        environment
--   $29 int[]         version
--   $30 bigint[]      credit_limit
--   $31 bool[]        is_low
--   $32 int[]         n
--   $33 text[]        environment
--   $34 text[]        kind
--   $35 bigint[]      amount
--   $36 text[]        channel
--   $37 text[]        day
--   $38 bigint[]      cap
--   $39 text[]        reference
--   $40 text[]        item
--   $41 timestamptz[] at
--   $42 int[]         n
--   $43 text[]        key
--   $44 int[]         attempt
--   $45 int[]         n
--   $46 text[]        environment
--   $47 text[]        id
--   $48 text[]        type
--   $49 timestamptz[] created_at
--   $50 text[]        data
--   $51 int[]         n
--   $52 text[]        key
--   $53 text[]        environment
--   $54 text[]        kind
--   $55 text[]        payload
--   $56 timestamptz[] run_at
--   $57 int[]         attempt
--   $58 text[]        gate
--   $59 text[]        lane
--   $60 timestamptz[] run_at
--   $61 int[]         n
--   $62 text[]        kind
--   $63 text[]        environment
--   $64 timestamptz[] at
--   $65 text[]        key
--   $66 text[]        value
--   $67 bool[]        adds
--   $68 int[]         n
--   $69 text[]        kind
--   $70 text[]        environment
--   $71 timestamptz[] at
--   $72 text[]        key
--   $73 int[]         n
--   $74 text[]        merchant_id
--   $75 text[]        id
--   $76 text[]        environment
--   $77 timestamptz[] at
--   $78 text[]        action
--   $79 text[]        actor_id
--   $80 text[]        target_id
--   $81 text[]        entry
explain (generic_plan)
with erasure_given as materialized (select $2::text as id, $3::int as version where $3 >= 0),
people_given as materialized (
  select * from unnest($6::text[], $7::int[], $8::text[], $9::bool[])
    as p(canonical, version, state, forgets) where version > 0
),
lead_given as materialized (select $10::int as id, $11::int as version where $10 > 0),
message_given as materialized (select * from unnest($13::text[], $14::int[])
    as m(id, version)),
erasure_held as materialized (
  select g.*, t.place from (select * from erasure_given offset 0) g cross join lateral (
    select ctid as place from erasure where environment = $1 and id = g.id and version = g.version offset 0 for update
  ) t order by id
),
subject_held as materialized (
  select g.*, t.place from (select * from people_given offset 0) g cross join lateral (
    select ctid as place from subject where environment = $1 and canonical = g.canonical and version = g.version offset 0 for update
  ) t order by canonical
),
lead_held as materialized (
  select g.*, t.place from (select * from lead_given offset 0) g cross join lateral (
    select ctid as place from lead where environment = $1 and id = g.id and version = g.version offset 0 for update
  ) t order by id
),
lead_message_held as materialized (
  select g.*, t.place from (select * from message_given offset 0) g cross join lateral (
    select ctid as place from lead_message where environment = $1 and id = g.id and version = g.version offset 0 for update
  ) t order by id
),
ok as materialized (
  select 1 as n where ($3 <= 0 or exists (select 1 from erasure_held))
    and (select count(*) from subject_held) = (select count(*) from people_given)
    and (select count(*) from lead_held) = (select count(*) from lead_given)
    and (select count(*) from lead_message_held) = cardinality($13::text[])
),
began as (
  insert into erasure (environment, id, version, person, state)
  select $1, $2, 1, $4, $5 where $3 = 0 and exists (select 1 from ok)
),
went as (
  update erasure t set version = $3 + 1, state = $5 from erasure_held d where t.ctid = d.place and exists (select 1 from ok)
),
person_kept as (
  update subject t set version = d.version + 1, state = d.state from subject_held d
  where t.ctid = d.place and d.state is not null and exists (select 1 from ok)
),
person_gone as (
  delete from subject t using subject_held d where t.ctid = d.place and d.state is null and exists (select 1 from ok)
),
person_made as (
  insert into subject (environment, canonical, version, state)
  select $1, canonical, 1 - version, state from unnest($6::text[], $7::int[], $8::text[], $9::bool[])
    as p(canonical, version, state, forgets)
  where version <= 0 and exists (select 1 from ok)
  on conflict (environment, canonical) do update
    set version = greatest(subject.version + 1, excluded.version), state = excluded.state
),
lead_kept as (
  update lead t set version = d.version + 1 from lead_held d where t.ctid = d.place and $12 = 0 and exists (select 1 from ok)
),
lead_gone as (
  delete from lead t using lead_held d where t.ctid = d.place and $12 = 1 and exists (select 1 from ok)
  returning t.id, t.words
),
message_gone as (
  delete from lead_message t using lead_message_held d where t.ctid = d.place and exists (select 1 from ok)
),
device_gone as (
  delete from device t using (
  select t.place, t.part from (select canonical from people_given where forgets) g cross join lateral (
    select ctid as place, tableoid as part from device where environment = $1 and canonical = g.canonical offset 0
  ) t where exists (select 1 from ok)) d where t.ctid = d.place and t.tableoid = d.part
),
word_gone as (
  delete from lead_word t using (
  select t.place, t.part from (select id, unnest(string_to_array(words, ' ')) as word from lead_gone) g cross join lateral (
    select ctid as place, tableoid as part from lead_word where environment = $1 and word = g.word and lead_id = g.id offset 0
  ) t where exists (select 1 from ok)) d where t.ctid = d.place and t.tableoid = d.part
),
read_gone as (
  delete from lead_read t using (
  select t.place, t.part from lead_gone g cross join lateral (
    select ctid as place, tableoid as part from lead_read where environment = $1 and lead_id = g.id offset 0
  ) t where exists (select 1 from ok)) d where t.ctid = d.place and t.tableoid = d.part
),
entry_gone as (
  delete from lead_entry t using (
  select t.place, t.part from lead_gone g cross join lateral (
    select ctid as place, tableoid as part from lead_entry where environment = $1 and lead_id = g.id offset 0
  ) t where exists (select 1 from ok)) d where t.ctid = d.place and t.tableoid = d.part
),
verification_gone as (
  delete from verification t using (
  select t.place, t.part from (select * from unnest($15::text[])
    as u(id)) g cross join lateral (
    select ctid as place, tableoid as part from verification where environment = $1 and id = g.id offset 0
  ) t where exists (select 1 from ok)) d where t.ctid = d.place and t.tableoid = d.part
),
order_gone as (
  delete from order_reference t using (
  select t.place, t.part from (select * from unnest($16::text[], $17::text[])
    as u(id, verification)) g cross join lateral (
    select ctid as place, tableoid as part from order_reference where environment = $1 and order_id = g.id and verification_id = g.verification offset 0
  ) t where exists (select 1 from ok)) d where t.ctid = d.place and t.tableoid = d.part
),
touch_gone as (
  delete from touch t using (
  select t.place, t.part from (select * from unnest($18::text[], $19::text[])
    as u(kind, id)) g cross join lateral (
    select ctid as place, tableoid as part from touch where environment = $1 and kind = g.kind and id = g.id offset 0
  ) t where exists (select 1 from ok)) d where t.ctid = d.place and t.tableoid = d.part
),
fact_gone as (
  delete from fact t using (
  select t.place, t.part from (select * from unnest($20::text[]) as u(kind)) g cross join lateral (
    select ctid as place, tableoid as part from fact where environment = $1 and kind = g.kind and key = any($21::text[]) offset 0
  ) t where exists (select 1 from ok)) d where t.ctid = d.place and t.tableoid = d.part
),
answer_gone as (
  delete from idempotency t using (
  select t.place, t.part from (select * from unnest($24::text[], $25::text[])
    as u(endpoint, key)) g cross join lateral (
    select ctid as place, tableoid as part from idempotency where environment = $1 and endpoint = g.endpoint and key = g.key offset 0
  ) t where exists (select 1 from ok)) d where t.ctid = d.place and t.tableoid = d.part
),
job_gone as (
  delete from job where key = any($26::text[]) and environment = $1 and dead_at is null and exists (select 1 from ok)
),
silenced as (
  update event t set data = d.data from (
    select t.place, t.part, g.data from unnest($22::text[], $23::text[])
    as g(id, data) cross join lateral (
      select ctid as place, tableoid as part from event where environment = $1 and id = g.id offset 0
    ) t where exists (select 1 from ok)
  ) d where t.ctid = d.place and t.tableoid = d.part
),
unlogged as (
  update webhook_attempt t set response_body = null, error = null from (
    select t.place, t.part from webhook w cross join unnest($22::text[]) as g(id) cross join lateral (
      select ctid as place, tableoid as part from webhook_attempt where webhook_id = w.id and event_id = g.id offset 0
    ) t where w.environment = $1 and exists (select 1 from ok)
  ) d where t.ctid = d.place and t.tableoid = d.part
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($27::int[], $28::text[], $29::int[], $30::bigint[], $31::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($32::int[], $33::text[], $34::text[], $35::bigint[], $36::text[], $37::text[], $38::bigint[], $39::text[], $40::text[], $41::timestamptz[])
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
    select t.place, t.attempt from unnest($42::int[], $43::text[], $44::int[])
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
  from unnest($45::int[], $46::text[], $47::text[], $48::text[], $49::timestamptz[], $50::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($51::int[], $52::text[], $53::text[], $54::text[], $55::text[], $56::timestamptz[], $57::int[], $58::text[], $59::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($60::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($61::int[], $62::text[], $63::text[], $64::timestamptz[], $65::text[], $66::text[], $67::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($68::int[], $69::text[], $70::text[], $71::timestamptz[], $72::text[])
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
  from unnest($73::int[], $74::text[], $75::text[], $76::text[], $77::timestamptz[], $78::text[], $79::text[], $80::text[], $81::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
)
select n, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;

-- Lists reactions and edits of messages.
--   $1                environment
--   $2                id
--   $3
--   $4
explain (generic_plan)
select m.environment, m.id, m.version, m.lead_id, m.kind, m.at, m.provider_id, m.about, m.state from lead_message m
where environment = $1 and id > $2 and coalesce(lead_id, 0) = $4 and kind <> 'MESSAGE' order by id limit $3;

-- Lists people without a verification.
--   $1
--   $2
--   $3
explain (generic_plan)
select s.environment, s.canonical, s.version, case when v.canonical is null then s.state end
from (
  select * from subject where (environment, canonical) > ($1, $2) order by environment, canonical limit $3
) s
left join lateral (
  select canonical from verification where canonical = s.canonical and environment = s.environment
  order by canonical, environment, id limit 1
) v on true
order by 1, 2;

-- Lists erasures since an instant.
--   $1                environment
--   $2                id
explain (generic_plan)
select id, version, person, state from erasure where environment = $1 and id >= $2;

-- Deletes old events.
--   $1                environment
--   $2                id
--   $3
explain (generic_plan)
with old as materialized (
  select id from event where environment = $1 and id < $2 order by id limit $3
)
delete from event t using (
  select t.place, t.part from old g cross join lateral (
    select ctid as place, tableoid as part from event where environment = $1 and id = g.id offset 0
  ) t
) d where t.ctid = d.place and t.tableoid = d.part
returning 1;
