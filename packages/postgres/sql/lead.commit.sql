-- The statements of "lead.commit", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f lead.commit.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Commits changes of one lead and its messages.
--   $1  int[]         guards
--   $2  int[]         n
--   $3  text[]        environment
--   $4  int[]         id
--   $5  int[]         version
--   $6  text[]        contact
--   $7  text[]        phone
--   $8  text[]        user_id
--   $9  int[]         owner
--   $10 int[]         team
--   $11 bool[]        open
--   $12 timestamptz[] active_at
--   $13 timestamptz[] waiting_at
--   $14 text[]        words
--   $15 text[]        labels
--   $16 text[]        state
--   $17 int[]         n
--   $18 text[]        environment
--   $19 text[]        id
--   $20 int[]         version
--   $21 int[]         lead_id
--   $22 text[]        kind
--   $23 timestamptz[] at
--   $24 text[]        provider_id
--   $25 text[]        about
--   $26 text[]        state
--   $27 int[]         n
--   $28 text[]        key
--   $29 int[]         attempt
--   $30 int[]         n
--   $31 text[]        environment
--   $32 text[]        id
--   $33 text[]        type
--   $34 timestamptz[] created_at
--   $35 text[]        data
explain (generic_plan)
with lead_given as materialized (
  select g.* from unnest($2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[], $9::int[], $10::int[], $11::bool[], $12::timestamptz[], $13::timestamptz[], $14::text[], $15::text[], $16::text[])
    as g(n, environment, id, version, contact, phone, user_id, owner, team, open, active_at, waiting_at, words, labels, state)
), lead_held as materialized (
  select g.*, t.place, t.found, t.words as had
  from (select * from lead_given where version > 0 order by environment, id offset 0) g
  cross join lateral (
    select ctid as place, version as found, words from lead
    where environment = g.environment and id = g.id and version = g.version
    offset 0 for update
  ) t
), lead_message_given as materialized (
  select g.* from unnest($17::int[], $18::text[], $19::text[], $20::int[], $21::int[], $22::text[], $23::timestamptz[], $24::text[], $25::text[], $26::text[])
    as g(n, environment, id, version, lead_id, kind, at, provider_id, about, state)
), lead_message_held as materialized (
  select g.*, t.place, t.found
  from (select * from lead_message_given where version > 0 order by environment, id offset 0) g
  cross join lateral (
    select ctid as place, version as found from lead_message
    where environment = g.environment and id = g.id and version = g.version
    offset 0 for update
  ) t
), found as materialized (
  select n, count(*)::int as hits from (select n from lead_held union all select n from lead_message_held) h group by n
), taken as materialized (
  select g.n from lead_given g cross join lateral (
    select environment, id from lead where environment = g.environment and contact = g.contact offset 0
  ) t where g.version = 0 and ((t.environment, t.id) in (select environment, id from lead_held)) is not true
  union all
  select g.n from lead_given g cross join lateral (
    select environment, id from lead where environment = g.environment and phone_end = reverse(g.phone) offset 0
  ) t where g.version = 0 and ((t.environment, t.id) in (select environment, id from lead_held)) is not true
  union all
  select g.n from lead_given g cross join lateral (
    select environment, id from lead where environment = g.environment and user_id = g.user_id offset 0
  ) t where g.version = 0 and ((t.environment, t.id) in (select environment, id from lead_held)) is not true
  union all
  select g.n from lead_message_given g cross join lateral (
    select environment, id from lead_message where environment = g.environment and provider_id = g.provider_id offset 0
  ) t where g.version = 0 and ((t.environment, t.id) in (select environment, id from lead_message_held)) is not true
), ok as materialized (
  select n::int as n from unnest($1::int[]) with ordinality as c(guards, n)
  where (guards = 0 or ((n::int, guards) in (select n, hits from found)) is true) and ((n::int) in (select n from taken)) is not true
), done as (
  delete from job j using (
    select t.place, t.attempt from unnest($27::int[], $28::text[], $29::int[])
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
  from unnest($30::int[], $31::text[], $32::text[], $33::text[], $34::timestamptz[], $35::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), lead_known as (
  update lead t set version = g.version + 1, contact = g.contact, phone = g.phone, user_id = g.user_id, owner = g.owner, team = g.team, open = g.open, active_at = g.active_at, waiting_at = g.waiting_at, words = g.words, labels = g.labels, state = g.state
  from lead_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), lead_fresh as (
  insert into lead (environment, id, version, contact, phone, user_id, owner, team, open, active_at, waiting_at, words, labels, state)
  select environment, id, 1, contact, phone, user_id, owner, team, open, active_at, waiting_at, words, labels, state from lead_given
  where version = 0 and (n in (select n from ok)) is true order by environment, id
), renamed as materialized (
  select environment, id, words, string_to_array(had, ' ') as had, string_to_array(words, ' ') as has
  from lead_held where had <> words and (n in (select n from ok)) is true
  union all
  select environment, id, words, '{}'::text[], string_to_array(words, ' ')
  from lead_given where version = 0 and words <> '' and (n in (select n from ok)) is true
), word_gone as (
  delete from lead_word t using (
    select w.place from (select environment, id, has, unnest(had) as word from renamed offset 0) g
    cross join lateral (
      select ctid as place from lead_word
      where environment = g.environment and word = g.word and lead_id = g.id offset 0
    ) w
    where g.word <> all (g.has)
  ) d where t.ctid = d.place
), word_come as (
  insert into lead_word (environment, word, lead_id, words)
  select environment, word, id, words from (select environment, id, words, unnest(has) as word from renamed offset 0) g
  order by environment, word, id
  on conflict (environment, word, lead_id) do update set words = excluded.words
), lead_noticed as (
  insert into lead_change (environment, lead_id)
  select distinct environment, id from lead_given where id is not null and (n in (select n from ok)) is true
), lead_message_known as (
  update lead_message t set version = g.version + 1, lead_id = g.lead_id, kind = g.kind, at = g.at, provider_id = g.provider_id, about = g.about, state = g.state
  from lead_message_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), lead_message_fresh as (
  insert into lead_message (environment, id, version, lead_id, kind, at, provider_id, about, state)
  select environment, id, 1, lead_id, kind, at, provider_id, about, state from lead_message_given
  where version = 0 and (n in (select n from ok)) is true order by environment, id
), lead_message_noticed as (
  insert into lead_change (environment, lead_id)
  select distinct environment, lead_id from lead_message_given where lead_id is not null and (n in (select n from ok)) is true
)
select n from ok;

-- Commits changes of every kind of inbox row.
--   $1  int[]         guards
--   $2  int[]         n
--   $3  text[]        environment
--   $4  int[]         id
--   $5  int[]         version
--   $6  text[]        contact
--   $7  text[]        phone
--   $8  text[]        user_id
--   $9  int[]         owner
--   $10 int[]         team
--   $11 bool[]        open
--   $12 timestamptz[] active_at
--   $13 timestamptz[] waiting_at
--   $14 text[]        words
--   $15 text[]        labels
--   $16 text[]        state
--   $17 int[]         n
--   $18 text[]        environment
--   $19 text[]        id
--   $20 int[]         version
--   $21 int[]         lead_id
--   $22 text[]        kind
--   $23 timestamptz[] at
--   $24 text[]        provider_id
--   $25 text[]        about
--   $26 text[]        state
--   $27 int[]         n
--   $28 text[]        environment
--   $29 int[]         lead_id
--   $30 int[]         number
--   $31 text[]        state
--   $32 int[]         n
--   $33 text[]        merchant_id
--   $34 int[]         id
--   $35 int[]         n
--   $36 text[]        environment
--   $37 int[]         version
--   $38 bigint[]      credit_limit
--   $39 bool[]        is_low
--   $40 int[]         n
--   $41 text[]        environment
--   $42 text[]        kind
--   $43 bigint[]      amount
--   $44 text[]        channel
--   $45 text[]        day
--   $46 bigint[]      cap
--   $47 text[]        reference
--   $48 text[]        item
--   $49 timestamptz[] at
--   $50 int[]         n
--   $51 text[]        key
--   $52 int[]         attempt
--   $53 int[]         n
--   $54 text[]        environment
--   $55 text[]        id
--   $56 text[]        type
--   $57 timestamptz[] created_at
--   $58 text[]        data
--   $59 int[]         n
--   $60 text[]        key
--   $61 text[]        environment
--   $62 text[]        kind
--   $63 text[]        payload
--   $64 timestamptz[] run_at
--   $65 int[]         attempt
--   $66 text[]        gate
--   $67 text[]        lane
--   $68 timestamptz[] run_at
--   $69 int[]         n
--   $70 text[]        kind
--   $71 text[]        environment
--   $72 timestamptz[] at
--   $73 text[]        key
--   $74 text[]        value
--   $75 bool[]        adds
--   $76 int[]         n
--   $77 text[]        kind
--   $78 text[]        environment
--   $79 timestamptz[] at
--   $80 text[]        key
--   $81 int[]         n
--   $82 text[]        merchant_id
--   $83 text[]        id
--   $84 text[]        environment
--   $85 timestamptz[] at
--   $86 text[]        action
--   $87 text[]        actor_id
--   $88 text[]        target_id
--   $89 text[]        entry
explain (generic_plan)
with lead_given as materialized (
  select g.* from unnest($2::int[], $3::text[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[], $9::int[], $10::int[], $11::bool[], $12::timestamptz[], $13::timestamptz[], $14::text[], $15::text[], $16::text[])
    as g(n, environment, id, version, contact, phone, user_id, owner, team, open, active_at, waiting_at, words, labels, state)
), lead_held as materialized (
  select g.*, t.place, t.found, t.words as had
  from (select * from lead_given where version > 0 order by environment, id offset 0) g
  cross join lateral (
    select ctid as place, version as found, words from lead
    where environment = g.environment and id = g.id and version = g.version
    offset 0 for update
  ) t
), lead_message_given as materialized (
  select g.* from unnest($17::int[], $18::text[], $19::text[], $20::int[], $21::int[], $22::text[], $23::timestamptz[], $24::text[], $25::text[], $26::text[])
    as g(n, environment, id, version, lead_id, kind, at, provider_id, about, state)
), lead_message_held as materialized (
  select g.*, t.place, t.found
  from (select * from lead_message_given where version > 0 order by environment, id offset 0) g
  cross join lateral (
    select ctid as place, version as found from lead_message
    where environment = g.environment and id = g.id and version = g.version
    offset 0 for update
  ) t
), lead_entry_given as materialized (
  select g.* from unnest($27::int[], $28::text[], $29::int[], $30::int[], $31::text[])
    as g(n, environment, lead_id, number, state)
), active_held as materialized (
  select g.n from (
    select * from unnest($32::int[], $33::text[], $34::int[])
    as a(n, merchant_id, id)
    order by merchant_id, id offset 0
  ) g
  cross join lateral (
    select 1 from agent where merchant_id = g.merchant_id and id = g.id and active offset 0 for share
  ) t
), found as materialized (
  select n, count(*)::int as hits from (select n from lead_held union all select n from lead_message_held union all select n from active_held) h group by n
), taken as materialized (
  select g.n from lead_given g cross join lateral (
    select environment, id from lead where environment = g.environment and contact = g.contact offset 0
  ) t where g.version = 0 and ((t.environment, t.id) in (select environment, id from lead_held)) is not true
  union all
  select g.n from lead_given g cross join lateral (
    select environment, id from lead where environment = g.environment and phone_end = reverse(g.phone) offset 0
  ) t where g.version = 0 and ((t.environment, t.id) in (select environment, id from lead_held)) is not true
  union all
  select g.n from lead_given g cross join lateral (
    select environment, id from lead where environment = g.environment and user_id = g.user_id offset 0
  ) t where g.version = 0 and ((t.environment, t.id) in (select environment, id from lead_held)) is not true
  union all
  select g.n from lead_message_given g cross join lateral (
    select environment, id from lead_message where environment = g.environment and provider_id = g.provider_id offset 0
  ) t where g.version = 0 and ((t.environment, t.id) in (select environment, id from lead_message_held)) is not true
), ok as materialized (
  select n::int as n from unnest($1::int[]) with ordinality as c(guards, n)
  where (guards = 0 or ((n::int, guards) in (select n, hits from found)) is true) and ((n::int) in (select n from taken)) is not true
), terms as materialized (
  select environment, version as decided_on, credit_limit, is_low
  from unnest($35::int[], $36::text[], $37::int[], $38::bigint[], $39::bool[])
    as t(n, environment, version, credit_limit, is_low)
  where (n in (select n from ok)) is true
), moving as materialized (
  select * from unnest($40::int[], $41::text[], $42::text[], $43::bigint[], $44::text[], $45::text[], $46::bigint[], $47::text[], $48::text[], $49::timestamptz[])
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
    select t.place, t.attempt from unnest($50::int[], $51::text[], $52::int[])
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
  from unnest($53::int[], $54::text[], $55::text[], $56::text[], $57::timestamptz[], $58::text[])
    as g(n, environment, id, type, created_at, data)
  where (n in (select n from ok)) is true
), added as (
  insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
  select key, environment, kind, payload, run_at, attempt, gate, lane
  from unnest($59::int[], $60::text[], $61::text[], $62::text[], $63::text[], $64::timestamptz[], $65::int[], $66::text[], $67::text[])
    as g(n, key, environment, kind, payload, run_at, attempt, gate, lane)
  where (n in (select n from ok)) is true and (select count(*) from done) >= 0
  order by key
  on conflict (key) do nothing
), told as materialized (
  select exists (select 1 from unnest($68::timestamptz[])
    as t(run_at) where run_at <= now() + interval '1 second') as due
), noted as (
  insert into fact (kind, environment, at, key, value, times)
  select kind, environment, at, min(key), value, count(distinct key)::int
  from unnest($69::int[], $70::text[], $71::text[], $72::timestamptz[], $73::text[], $74::text[], $75::bool[])
    as f(n, kind, environment, at, key, value, adds)
  where (n in (select n from ok)) is true
  group by kind, environment, at, value, case when adds then '' else key end
  order by kind, environment, at, min(key)
  on conflict (kind, environment, at, key) do nothing
), folded as (
  delete from fact f using (
    select t.place
    from unnest($76::int[], $77::text[], $78::text[], $79::timestamptz[], $80::text[])
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
  from unnest($81::int[], $82::text[], $83::text[], $84::text[], $85::timestamptz[], $86::text[], $87::text[], $88::text[], $89::text[])
    as g(n, merchant_id, id, environment, at, action, actor_id, target_id, entry)
  where (n in (select n from ok)) is true
  order by merchant_id, id
  on conflict (merchant_id, id) do nothing
), lead_known as (
  update lead t set version = g.version + 1, contact = g.contact, phone = g.phone, user_id = g.user_id, owner = g.owner, team = g.team, open = g.open, active_at = g.active_at, waiting_at = g.waiting_at, words = g.words, labels = g.labels, state = g.state
  from lead_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), lead_fresh as (
  insert into lead (environment, id, version, contact, phone, user_id, owner, team, open, active_at, waiting_at, words, labels, state)
  select environment, id, 1, contact, phone, user_id, owner, team, open, active_at, waiting_at, words, labels, state from lead_given
  where version = 0 and (n in (select n from ok)) is true order by environment, id
), renamed as materialized (
  select environment, id, words, string_to_array(had, ' ') as had, string_to_array(words, ' ') as has
  from lead_held where had <> words and (n in (select n from ok)) is true
  union all
  select environment, id, words, '{}'::text[], string_to_array(words, ' ')
  from lead_given where version = 0 and words <> '' and (n in (select n from ok)) is true
), word_gone as (
  delete from lead_word t using (
    select w.place from (select environment, id, has, unnest(had) as word from renamed offset 0) g
    cross join lateral (
      select ctid as place from lead_word
      where environment = g.environment and word = g.word and lead_id = g.id offset 0
    ) w
    where g.word <> all (g.has)
  ) d where t.ctid = d.place
), word_come as (
  insert into lead_word (environment, word, lead_id, words)
  select environment, word, id, words from (select environment, id, words, unnest(has) as word from renamed offset 0) g
  order by environment, word, id
  on conflict (environment, word, lead_id) do update set words = excluded.words
), lead_noticed as (
  insert into lead_change (environment, lead_id)
  select distinct environment, id from lead_given where id is not null and (n in (select n from ok)) is true
), lead_message_known as (
  update lead_message t set version = g.version + 1, lead_id = g.lead_id, kind = g.kind, at = g.at, provider_id = g.provider_id, about = g.about, state = g.state
  from lead_message_held g where t.ctid = g.place and t.version = g.found and (n in (select n from ok)) is true
), lead_message_fresh as (
  insert into lead_message (environment, id, version, lead_id, kind, at, provider_id, about, state)
  select environment, id, 1, lead_id, kind, at, provider_id, about, state from lead_message_given
  where version = 0 and (n in (select n from ok)) is true order by environment, id
), lead_message_noticed as (
  insert into lead_change (environment, lead_id)
  select distinct environment, lead_id from lead_message_given where lead_id is not null and (n in (select n from ok)) is true
), entered as (
  insert into lead_entry (environment, lead_id, number, state)
  select environment, lead_id, number, state from lead_entry_given where (n in (select n from ok)) is true order by environment, lead_id, number
)
select n, case when (select due from told) then pg_notify('countersign_job_' || md5(current_schema()::text), '') end from ok;
