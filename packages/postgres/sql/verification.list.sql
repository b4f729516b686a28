-- The statements of "verification.list", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f verification.list.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Finds verifications that expired and are still open.
--   $1
--   $2
--   $3                expires_at
--   $4                n
--   $5
explain (generic_plan)
select environment, id, expires_at, open, n = $4 from (
  select environment, id, expires_at, open, row_number() over (order by expires_at, id)::int as n from verification
  where (expires_at, id) > ($1, $2) and expires_at <= $3
  order by expires_at, id limit $4
) walked
where open or n = $4
limit $5;

-- Reads the verifications of a time.
--   $1                environment
--   $2                id
--   $3                id
--   $4
explain (generic_plan)
select id, state from verification
where environment = $1 and id > $2 and id < $3
order by environment, id limit $4;

-- Reads all verifications of a person.
--   $1
--   $2
--   $3                id
--   $4
explain (generic_plan)
select id, state from verification
where (canonical, environment, id) > ($2, $1, $3) and (canonical, environment) <= ($2, $1) and id > $3
order by canonical, environment, id limit $4;

-- Finds people by the last four digits of their number.
--   $1                environment
--   $2
--   $3                id
--   $4
explain (generic_plan)
select v.id, v.state
from (
  select canonical from subject
  where right(canonical, 4) = $2 and environment = $1 and canonical > '0' and canonical < ':'
    and position('@' in canonical) = 0 limit 1000
) s
cross join lateral (
  select id, state from verification
  where (canonical, environment, id) >= (s.canonical, $1, $3) and (canonical, environment) <= (s.canonical, $1) and id >= $3
  order by canonical desc, environment desc, id desc limit 1
) v
order by v.id desc limit $4;

-- Searches verifications.
--   $1                environment
--   $2                id
--   $3                id
--   $4
--   $5                n
--   $6  timestamptz
explain (generic_plan)
select w.id, w.passes, w.last, v.state from (
  select id, passes, n = $5 as last from (
    select id, true as passes,
      row_number() over (order by id desc)::int as n
    from verification where environment = $1 and id < $2 and id >= $3 and $6::timestamptz is not null
    order by id desc limit $5
  ) walked
  where passes or n = $5 limit $4
) w
cross join lateral (select state from verification where environment = $1 and id = w.id offset 0) v;

-- Searches verifications by person, channel and country.
--   $1                environment
--   $2                id
--   $3                id
--   $4
--   $5                n
--   $6  timestamptz
--   $7
--   $8                channel
--   $9                country
explain (generic_plan)
select w.id, w.passes, w.last, v.state from (
  select id, passes, n = $5 as last from (
    select id, (channel = $8 and country = $9) is true as passes,
      row_number() over (order by canonical desc, environment desc, id desc)::int as n
    from verification where (canonical, environment, id) < ($7, $1, $2)
        and (canonical, environment, id) >= ($7, $1, $3) and id < $2 and id >= $3 and $6::timestamptz is not null
    order by canonical desc, environment desc, id desc limit $5
  ) walked
  where passes or n = $5 limit $4
) w
cross join lateral (select state from verification where environment = $1 and id = w.id offset 0) v;

-- Searches expired verifications of an order.
--   $1                environment
--   $2                id
--   $3                id
--   $4
--   $5                n
--   $6  timestamptz   expires_at
--   $7
explain (generic_plan)
select w.id, w.passes, w.last, v.state from (
  select id, passes, n = $5 as last from (
    select id, ((status = 'EXPIRED' or status = 'PENDING' and expires_at <= $6)) is true as passes,
      row_number() over (order by order_id desc, environment desc, id desc)::int as n
    from verification where (order_id, environment, id) < ($7, $1, $2)
        and (order_id, environment, id) >= ($7, $1, $3) and order_id is not null and id < $2 and id >= $3 and $6::timestamptz is not null
    order by order_id desc, environment desc, id desc limit $5
  ) walked
  where passes or n = $5 limit $4
) w
cross join lateral (select state from verification where environment = $1 and id = w.id offset 0) v;

-- Searches verifications by country and tag.
--   $1                environment
--   $2                id
--   $3                id
--   $4
--   $5                n
--   $6  timestamptz
--   $7
--   $8
explain (generic_plan)
select w.id, w.passes, w.last, v.state from (
  select id, passes, n = $5 as last from (
    select id, (strpos(state, $8) > 0) is true as passes,
      row_number() over (order by country desc, environment desc, id desc)::int as n
    from verification where (country, environment, id) < ($7, $1, $2)
        and (country, environment, id) >= ($7, $1, $3) and country is not null and id < $2 and id >= $3 and $6::timestamptz is not null
    order by country desc, environment desc, id desc limit $5
  ) walked
  where passes or n = $5 limit $4
) w
cross join lateral (select state from verification where environment = $1 and id = w.id offset 0) v;

-- Searches verifications by outcome and tag.
--   $1                environment
--   $2                id
--   $3                id
--   $4
--   $5                n
--   $6  timestamptz
--   $7                outcome
--   $8
explain (generic_plan)
select w.id, w.passes, w.last, v.state from (
  select id, passes, n = $5 as last from (
    select id, (outcome = any($7) and strpos(state, $8) > 0) is true as passes,
      row_number() over (order by id desc)::int as n
    from verification where environment = $1 and id < $2 and id >= $3 and $6::timestamptz is not null
    order by id desc limit $5
  ) walked
  where passes or n = $5 limit $4
) w
cross join lateral (select state from verification where environment = $1 and id = w.id offset 0) v;

-- Searches relayed codes.
--   $1                environment
--   $2                id
--   $3                id
--   $4
--   $5                n
--   $6  timestamptz
explain (generic_plan)
select w.id, w.passes, w.last, v.state from (
  select id, passes, n = $5 as last from (
    select id, (strpos(state, '"kind":"Relayed"') > 0) is true as passes,
      row_number() over (order by id desc)::int as n
    from verification where environment = $1 and id < $2 and id >= $3 and $6::timestamptz is not null
    order by id desc limit $5
  ) walked
  where passes or n = $5 limit $4
) w
cross join lateral (select state from verification where environment = $1 and id = w.id offset 0) v;
