-- The statements of "verification.commit", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f verification.commit.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Commits an event and a job for people without an earlier verification: an initiate.
--   $1  text[]        environment
--   $2  text[]        canonical
--   $3  int[]         version
--   $4  text[]        subject
--   $5  text[]        id
--   $6  text[]        verification
--   $7  text[]        order_id
--   $8  text[]        device_id
--   $9  timestamptz[] expires_at
--   $10 bool[]        open
--   $11 text[]        status
--   $12 text[]        channel
--   $13 text[]        country
--   $14 text[]        reference
--   $15 text[]        outcome
--   $16 int[]         n
--   $17 text[]        environment
--   $18 text[]        id
--   $19 text[]        type
--   $20 timestamptz[] created_at
--   $21 text[]        data
--   $22 int[]         n
--   $23 text[]        key
--   $24 text[]        environment
--   $25 text[]        kind
--   $26 text[]        payload
--   $27 timestamptz[] run_at
--   $28 int[]         attempt
--   $29 text[]        gate
--   $30 text[]        lane
explain (generic_plan)
with change as materialized (
  select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::bool[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
    with ordinality as c(environment, canonical, version, subject, id, verification, order_id, device_id, expires_at, open, status, channel, country, reference, outcome, n)
), fresh as (
  insert into subject (environment, canonical, version, state)
  select environment, canonical, 1 - version, subject from change where version <= 0 order by n
  on conflict (environment, canonical) do nothing
  returning environment, canonical
), ok as materialized (
  select c.environment, c.canonical, c.id, c.verification, c.order_id, c.device_id, c.expires_at, c.open, c.status, c.channel, c.country, c.reference, c.outcome, c.n, 1 - version as version from change c where version <= 0 and ((environment, canonical) in (select environment, canonical from fresh)) is true
), recorded as (
  insert into event (environment, id, type, created_at, data)
  select environment, id, type, created_at, data
  from unnest($16::int[], $17::text[], $18::text[], $19::text[], $20::timestamptz[], $21::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($22::int[], $23::text[], $24::text[], $25::text[], $26::text[], $27::timestamptz[], $28::int[], $29::text[], $30::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true
  order by key
  on conflict (key) do nothing
), verified as (
  insert into verification (environment, id, canonical, state, expires_at, open, status, channel, country, order_id, outcome)
  select environment, id, canonical, verification, expires_at, open, status, channel, country, reference, outcome
  from ok where id is not null order by n
  on conflict (environment, id) do update
    set state = excluded.state, expires_at = excluded.expires_at, open = excluded.open, status = excluded.status,
      channel = excluded.channel, order_id = excluded.order_id, outcome = excluded.outcome
)
select n::int, version from ok;

-- Commits an event for known people: a verify.
--   $1  text[]        environment
--   $2  text[]        canonical
--   $3  int[]         version
--   $4  text[]        subject
--   $5  text[]        id
--   $6  text[]        verification
--   $7  text[]        order_id
--   $8  text[]        device_id
--   $9  timestamptz[] expires_at
--   $10 bool[]        open
--   $11 text[]        status
--   $12 text[]        channel
--   $13 text[]        country
--   $14 text[]        reference
--   $15 text[]        outcome
--   $16 int[]         n
--   $17 text[]        environment
--   $18 text[]        id
--   $19 text[]        type
--   $20 timestamptz[] created_at
--   $21 text[]        data
explain (generic_plan)
with change as materialized (
  select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::bool[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
    with ordinality as c(environment, canonical, version, subject, id, verification, order_id, device_id, expires_at, open, status, channel, country, reference, outcome, n)
), known as (
  update subject s set version = c.version + 1, state = c.subject
  from (
    select c.*, t.place, t.found from change c
    cross join lateral (
      select ctid as place, version as found from subject
      where environment = c.environment and canonical = c.canonical and version = c.version offset 0
    ) t
    where c.version > 0
  ) c
  where s.ctid = c.place and s.version = c.found
  returning c.environment, c.canonical, c.id, c.verification, c.order_id, c.device_id, c.expires_at, c.open, c.status, c.channel, c.country, c.reference, c.outcome, c.n, s.version
), ok as materialized (
  select * from known
), recorded as (
  insert into event (environment, id, type, created_at, data)
  select environment, id, type, created_at, data
  from unnest($16::int[], $17::text[], $18::text[], $19::text[], $20::timestamptz[], $21::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), verified as (
  insert into verification (environment, id, canonical, state, expires_at, open, status, channel, country, order_id, outcome)
  select environment, id, canonical, verification, expires_at, open, status, channel, country, reference, outcome
  from ok where id is not null order by n
  on conflict (environment, id) do update
    set state = excluded.state, expires_at = excluded.expires_at, open = excluded.open, status = excluded.status,
      channel = excluded.channel, order_id = excluded.order_id, outcome = excluded.outcome
)
select n::int, version from ok;

-- Commits changes that also debit the balance.
--   $1  text[]        environment
--   $2  text[]        canonical
--   $3  int[]         version
--   $4  text[]        subject
--   $5  text[]        id
--   $6  text[]        verification
--   $7  text[]        order_id
--   $8  text[]        device_id
--   $9  timestamptz[] expires_at
--   $10 bool[]        open
--   $11 text[]        status
--   $12 text[]        channel
--   $13 text[]        country
--   $14 text[]        reference
--   $15 text[]        outcome
--   $16 int[]         n
--   $17 text[]        environment
--   $18 text[]        kind
--   $19 bigint[]      amount
--   $20 text[]        channel
--   $21 text[]        day
--   $22 bigint[]      cap
--   $23 text[]        reference
--   $24 text[]        item
--   $25 timestamptz[] at
--   $26 int[]         n
--   $27 text[]        environment
--   $28 text[]        id
--   $29 text[]        type
--   $30 timestamptz[] created_at
--   $31 text[]        data
--   $32 int[]         n
--   $33 text[]        key
--   $34 text[]        environment
--   $35 text[]        kind
--   $36 text[]        payload
--   $37 timestamptz[] run_at
--   $38 int[]         attempt
--   $39 text[]        gate
--   $40 text[]        lane
explain (generic_plan)
with change as materialized (
  select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::bool[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
    with ordinality as c(environment, canonical, version, subject, id, verification, order_id, device_id, expires_at, open, status, channel, country, reference, outcome, n)
), known as (
  update subject s set version = c.version + 1, state = c.subject
  from (
    select c.*, t.place, t.found from change c
    cross join lateral (
      select ctid as place, version as found from subject
      where environment = c.environment and canonical = c.canonical and version = c.version offset 0
    ) t
    where c.version > 0
  ) c
  where s.ctid = c.place and s.version = c.found
  returning c.environment, c.canonical, c.id, c.verification, c.order_id, c.device_id, c.expires_at, c.open, c.status, c.channel, c.country, c.reference, c.outcome, c.n, s.version
), fresh as (
  insert into subject (environment, canonical, version, state)
  select environment, canonical, 1 - version, subject from change where version <= 0 order by n
  on conflict (environment, canonical) do nothing
  returning environment, canonical
), ok as materialized (
  select * from known
  union all
  select c.environment, c.canonical, c.id, c.verification, c.order_id, c.device_id, c.expires_at, c.open, c.status, c.channel, c.country, c.reference, c.outcome, c.n, 1 - version as version from change c where version <= 0 and ((environment, canonical) in (select environment, canonical from fresh)) is true
), moving as materialized (
  select * from unnest($16::int[], $17::text[], $18::text[], $19::bigint[], $20::text[], $21::text[], $22::bigint[], $23::text[], $24::text[], $25::timestamptz[])
    with ordinality as b(n, environment, kind, amount, channel, day, cap, reference, item, at, turn)
  where (n in (select n from ok)) is true
), sums as (
  select environment, sum(amount)::bigint as amount, count(*) as entries, bool_or(amount < 0) as takes
  from moving group by environment
), due as materialized (
  select * from sums
), balanced as (
  insert into balance as b (environment, amount, entries, version, credit_limit, is_low, holds)
  select environment, amount, entries, 0, 0, false, (not takes or amount >= 0) 
    or exists (select from balance k where k.environment = due.environment)
  from due order by environment
  on conflict (environment) do update
    set amount = b.amount + excluded.amount, entries = b.entries + excluded.entries, holds = (
      select (not d.takes or b.amount + d.amount >= -b.credit_limit) 
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
), recorded as (
  insert into event (environment, id, type, created_at, data)
  select environment, id, type, created_at, data
  from unnest($26::int[], $27::text[], $28::text[], $29::text[], $30::timestamptz[], $31::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($32::int[], $33::text[], $34::text[], $35::text[], $36::text[], $37::timestamptz[], $38::int[], $39::text[], $40::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true
  order by key
  on conflict (key) do nothing
), verified as (
  insert into verification (environment, id, canonical, state, expires_at, open, status, channel, country, order_id, outcome)
  select environment, id, canonical, verification, expires_at, open, status, channel, country, reference, outcome
  from ok where id is not null order by n
  on conflict (environment, id) do update
    set state = excluded.state, expires_at = excluded.expires_at, open = excluded.open, status = excluded.status,
      channel = excluded.channel, order_id = excluded.order_id, outcome = excluded.outcome
), referred as (
  insert into order_reference (environment, order_id, verification_id, updated_at)
  select distinct on (environment, order_id) environment, order_id, id, now()
  from ok where order_id is not null and id is not null order by environment, order_id, n desc
  on conflict (environment, order_id) do update
    set verification_id = excluded.verification_id, updated_at = excluded.updated_at
), belonging as (
  insert into device (environment, id, canonical, trusted_at)
  select environment, device_id, canonical, now() from ok where device_id is not null order by environment, device_id
  on conflict (environment, id) do update set trusted_at = excluded.trusted_at
)
select n::int, version from ok;

-- Commits changes with every possible effect.
--   $1  text[]        environment
--   $2  text[]        canonical
--   $3  int[]         version
--   $4  text[]        subject
--   $5  text[]        id
--   $6  text[]        verification
--   $7  text[]        order_id
--   $8  text[]        device_id
--   $9  timestamptz[] expires_at
--   $10 bool[]        open
--   $11 text[]        status
--   $12 text[]        channel
--   $13 text[]        country
--   $14 text[]        reference
--   $15 text[]        outcome
--   $16 int[]         n
--   $17 text[]        environment
--   $18 int[]         version
--   $19 bigint[]      credit_limit
--   $20 bool[]        is_low
--   $21 int[]         n
--   $22 text[]        environment
--   $23 text[]        kind
--   $24 bigint[]      amount
--   $25 text[]        channel
--   $26 text[]        day
--   $27 bigint[]      cap
--   $28 text[]        reference
--   $29 text[]        item
--   $30 timestamptz[] at
--   $31 int[]         n
--   $32 text[]        key
--   $33 int[]         attempt
--   $34 int[]         n
--   $35 text[]        environment
--   $36 text[]        id
--   $37 text[]        type
--   $38 timestamptz[] created_at
--   $39 text[]        data
--   $40 int[]         n
--   $41 text[]        key
--   $42 text[]        environment
--   $43 text[]        kind
--   $44 text[]        payload
--   $45 timestamptz[] run_at
--   $46 int[]         attempt
--   $47 text[]        gate
--   $48 text[]        lane
--   $49 timestamptz[] run_at
--   $50 int[]         n
--   $51 text[]        kind
--   $52 text[]        environment
--   $53 timestamptz[] at
--   $54 text[]        key
--   $55 text[]        value
--   $56 bool[]        adds
--   $57 int[]         n
--   $58 text[]        kind
--   $59 text[]        environment
--   $60 timestamptz[] at
--   $61 text[]        key
--   $62 int[]         n
--   $63 text[]        merchant_id
--   $64 text[]        id
--   $65 text[]        environment
--   $66 timestamptz[] at
--   $67 text[]        action
--   $68 text[]        actor_id
--   $69 text[]        target_id
--   $70 text[]        entry
explain (generic_plan)
with change as materialized (
  select * from unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::bool[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
    with ordinality as c(environment, canonical, version, subject, id, verification, order_id, device_id, expires_at, open, status, channel, country, reference, outcome, n)
), known as (
  update subject s set version = c.version + 1, state = c.subject
  from (
    select c.*, t.place, t.found from change c
    cross join lateral (
      select ctid as place, version as found from subject
      where environment = c.environment and canonical = c.canonical and version = c.version offset 0
    ) t
    where c.version > 0
  ) c
  where s.ctid = c.place and s.version = c.found
  returning c.environment, c.canonical, c.id, c.verification, c.order_id, c.device_id, c.expires_at, c.open, c.status, c.channel, c.country, c.reference, c.outcome, c.n, s.version
), fresh as (
  insert into subject (environment, canonical, version, state)
  select environment, canonical, 1 - version, subject from change where version <= 0 order by n
  on conflict (environment, canonical) do nothing
  returning environment, canonical
), ok as materialized (
  select * from known
  union all
  select c.environment, c.canonical, c.id, c.verification, c.order_id, c.device_id, c.expires_at, c.open, c.status, c.channel, c.country, c.reference, c.outcome, c.n, 1 - version as version from change c where version <= 0 and ((environment, canonical) in (select environment, canonical from fresh)) is true
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($16::int[], $17::text[], $18::int[], $19::bigint[], $20::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($21::int[], $22::text[], $23::text[], $24::bigint[], $25::text[], $26::text[], $27::bigint[], $28::text[], $29::text[], $30::timestamptz[])
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
    select t.place, t.attempt from unnest($31::int[], $32::text[], $33::int[])
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
  from unnest($34::int[], $35::text[], $36::text[], $37::text[], $38::timestamptz[], $39::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($40::int[], $41::text[], $42::text[], $43::text[], $44::text[], $45::timestamptz[], $46::int[], $47::text[], $48::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($49::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($50::int[], $51::text[], $52::text[], $53::timestamptz[], $54::text[], $55::text[], $56::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($57::int[], $58::text[], $59::text[], $60::timestamptz[], $61::text[])
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
  from unnest($62::int[], $63::text[], $64::text[], $65::text[], $66::timestamptz[], $67::text[], $68::text[], $69::text[], $70::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
), verified as (
  insert into verification (environment, id, canonical, state, expires_at, open, status, channel, country, order_id, outcome)
  select environment, id, canonical, verification, expires_at, open, status, channel, country, reference, outcome
  from ok where id is not null order by n
  on conflict (environment, id) do update
    set state = excluded.state, expires_at = excluded.expires_at, open = excluded.open, status = excluded.status,
      channel = excluded.channel, order_id = excluded.order_id, outcome = excluded.outcome
), referred as (
  insert into order_reference (environment, order_id, verification_id, updated_at)
  select distinct on (environment, order_id) environment, order_id, id, now()
  from ok where order_id is not null and id is not null order by environment, order_id, n desc
  on conflict (environment, order_id) do update
    set verification_id = excluded.verification_id, updated_at = excluded.updated_at
), belonging as (
  insert into device (environment, id, canonical, trusted_at)
  select environment, device_id, canonical, now() from ok where device_id is not null order by environment, device_id
  on conflict (environment, id) do update set trusted_at = excluded.trusted_at
)
select n::int, version, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;
