-- The statements of "campaign.read", as the service sends them.
-- To see their plans on Postgres 16 or newer: psql -c "set search_path to countersign" -f campaign.read.sql
-- Written by: pnpm test packages/postgres/test/statements.test.ts -u

-- Loads campaigns.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, c.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select c.environment, c.id, c.version, c.state from campaign c where c.environment = i.environment and c.id = i.id offset 0
) c;

-- Finds the campaign that a request created.
--   $1                environment
--   $2                command
explain (generic_plan)
select c.environment, c.id, c.version, c.state from campaign c where environment = $1 and command = $2 and command is not null;

-- Lists campaigns.
--   $1                environment
--   $2
--   $3                id
explain (generic_plan)
select c.environment, c.id, c.version, c.state from campaign c
where environment = $1 and id < $3 order by id desc limit $2;

-- Loads recipients.
--   $1  text[]        environment
--   $2  text[]        id
explain (generic_plan)
select i.n::int, r.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select r.environment, r.campaign_id, r.number, r.version, r.phone, r.handed_at, r.status, r.provider_id, r.state from recipient r
  where r.environment = i.environment and r.campaign_id = substr(i.id, strpos(i.id, '/') + 1)
    and r.number = split_part(i.id, '/', 1)::int offset 0
) r;

-- Lists recipients.
--   $1                environment
--   $2                campaign_id
--   $3                number
--   $4  bigint
--   $5                status
explain (generic_plan)
select r.environment, r.campaign_id, r.number, r.version, r.phone, r.handed_at, r.status, r.provider_id, r.state from recipient r
where environment = $1 and campaign_id = $2 and number > $3 and status = $5 order by number
limit least($4::bigint, (
  select coalesce(sum(many), 0) from recipient_count where environment = $1 and campaign_id = $2 and status = $5));

-- Lists recipients whose outcome is unknown.
--   $1                environment
--   $2                campaign_id
--   $3                open
--   $4
--   $5
explain (generic_plan)
select r.environment, r.campaign_id, r.number, r.version, r.phone, r.handed_at, r.status, r.provider_id, r.state from recipient r
where environment = $1 and campaign_id = $2 and open > 0 and (open, number) > ($3, $4) and open <= $3
order by open, number limit $5;

-- Lists the recipients with a phone number.
--   $1                environment
--   $2                phone
--   $3
--   $4
--   $5
explain (generic_plan)
select r.environment, r.campaign_id, r.number, r.version, r.phone, r.handed_at, r.status, r.provider_id, r.state from recipient r
where environment = $1 and phone = $2 and phone > '' and (campaign_id, number) > ($3, $4) order by campaign_id, number limit $5;

-- Lists finished campaigns that are not counted yet.
--   $1                finished_at
--   $2
explain (generic_plan)
select c.environment, c.id, c.version, c.state from campaign c
where finished_at > '-infinity' and finished_at < $1 order by finished_at limit $2;
