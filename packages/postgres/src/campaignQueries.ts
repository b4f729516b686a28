import { campaign, recipient as person } from "./campaignTables.ts"

export const get = `
select i.n::int, c.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${campaign.select("c")} from campaign c where c.environment = i.environment and c.id = i.id offset 0
) c`

export const made = `
select ${campaign.select("c")} from campaign c where environment = $1 and command = $2 and command is not null`

export const list = (before: boolean) => `
select ${campaign.select("c")} from campaign c
where environment = $1${before ? " and id < $3" : ""} order by id desc limit $2`

/** The id of a recipient is `12/cmp_…`. */
export const recipient = `
select i.n::int, r.* from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select ${person.select("r")} from recipient r
  where r.environment = i.environment and r.campaign_id = substr(i.id, strpos(i.id, '/') + 1)
    and r.number = split_part(i.id, '/', 1)::int offset 0
) r`

const inStatus = `
  select coalesce(sum(many), 0) from recipient_count where environment = $1 and campaign_id = $2 and status = $5`

/** With a status, the scan ends after as many rows as the campaign has in that status. */
export const recipients = (status: boolean) => `
select ${person.select("r")} from recipient r
where environment = $1 and campaign_id = $2 and number > $3${status ? " and status = $5" : ""} order by number
limit ${status ? `least($4::bigint, (${inStatus}))` : "$4"}`

/** The order matches the index of open recipients, so that Postgres uses it. */
export const open = `
select ${person.select("r")} from recipient r
where environment = $1 and campaign_id = $2 and open > 0 and (open, number) > ($3, $4) and open <= $3
order by open, number limit $5`

/** Sums the counts that the triggers on `recipient` maintain, so its cost does not grow with the recipients. */
export const progress = `
select i.n::int, c.counts from unnest($1::text[], $2::text[]) with ordinality as i(environment, id, n)
cross join lateral (
  select json_object_agg(s.status, s.many)::text as counts from (
    select status, sum(many)::int as many from recipient_count
    where environment = i.environment and campaign_id = i.id group by status offset 0
  ) s where s.many > 0
) c`

export const room = `
select (count(*) filter (where c.finished_at is null))::int,
  coalesce(sum(u.waiting) filter (where c.finished_at is null), 0)::int,
  coalesce(sum(u.many), 0)::int
from campaign c
cross join lateral (
  select sum(many) filter (where status = 'PENDING') as waiting, sum(many) as many from recipient_count
  where environment = c.environment and campaign_id = c.id and status in ('PENDING', 'SKIPPED') offset 0
) u
where c.environment = $1 and not c.counted`

export const isHeardOf = `
select exists (
  select 1 from (
    select status, handed_at from recipient
    where environment = $1 and campaign_id = $2 and number between $3 - 1000 and $3 + 1000 order by number offset 0
  ) r where status in ('DELIVERED', 'READ') and handed_at >= $4
)`

export const ofPerson = `
select ${person.select("r")} from recipient r
where environment = $1 and phone = $2 and phone > '' and (campaign_id, number) > ($3, $4) order by campaign_id, number limit $5`

export const campaignsOf = `
select r.provider_id, r.campaign_id from unnest($2::text[]) as i(id)
cross join lateral (
  select provider_id, campaign_id from recipient
  where environment = $1 and provider_id = i.id and provider_id is not null limit 1
) r`

export const uncounted = `
select ${campaign.select("c")} from campaign c
where finished_at > '-infinity' and finished_at < $1 order by finished_at limit $2`

/** Skips from one campaign with recipients to the next, however many recipients each has. */
export const forget = `
with recursive found(environment, campaign_id) as (
  (select environment, campaign_id from recipient order by environment, campaign_id limit 1)
  union all
  select next.environment, next.campaign_id from found f cross join lateral (
    select environment, campaign_id from recipient
    where (environment, campaign_id) > (f.environment, f.campaign_id) order by environment, campaign_id limit 1
  ) next
),
gone as materialized (
  select f.environment, f.campaign_id from found f
  left join lateral (
    select counted from campaign where environment = f.environment and id = f.campaign_id offset 0
  ) c on true
  where coalesce(c.counted, f.campaign_id < $1)
),
place as materialized (
  select r.place from gone g cross join lateral (
    select ctid as place from recipient
    where environment = g.environment and campaign_id = g.campaign_id
    order by number limit $2 for update skip locked
  ) r limit $2
)
delete from recipient t using place p where t.ctid = p.place returning 1`
