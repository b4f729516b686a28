/** Several sessions count the same campaign at once: each adds to a row of its own slot, so they rarely share one. */
const slots = 16

const changed = (rows: string) => `
  insert into recipient_count as c (environment, campaign_id, slot, status, many)
  select r.environment, r.campaign_id, pg_backend_pid() % ${slots}, r.status, sum(r.n)::int from (${rows}) r
  group by r.environment, r.campaign_id, r.status having sum(r.n) <> 0
  order by r.environment, r.campaign_id, r.status
  on conflict (environment, campaign_id, slot, status) do update set many = c.many + excluded.many;`

const added = "select environment, campaign_id, status, 1 as n from added"
const gone = "select environment, campaign_id, status, -1 as n from gone"

const trigger = (name: string, event: string, tables: string) => `
  drop trigger if exists ${name} on recipient;
  create trigger ${name} after ${event} on recipient referencing ${tables}
    for each statement execute function countersign_count_recipients();`

/**
 * The number of a campaign's recipients in each status, kept beside the recipients themselves. Triggers keep it, because
 * processes of an older version write recipients too while an upgrade goes on. The sum over a campaign's slots equals a
 * count over its recipients in every snapshot.
 *
 * The triggers come before the backfill. The backfill adds the difference between the rows and the sums of one snapshot,
 * so it loses nothing that is written meanwhile, and adds nothing when it runs again.
 */
export const bounds: ReadonlyArray<string> = [
  `create table if not exists recipient_count (
    environment text collate "C" not null,
    campaign_id text collate "C" not null,
    slot int not null,
    status text collate "C" not null,
    many int not null,
    primary key (environment, campaign_id, slot, status)
  ) with (fillfactor = 50)`,
  `create or replace function countersign_count_recipients() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then${changed(added)}
  elsif tg_op = 'UPDATE' then${changed(`${added} union all ${gone}`)}
  else${changed(gone)}
    -- The counts of a campaign go with its last recipient.
    delete from recipient_count c using (select distinct environment, campaign_id from gone) g
    where c.environment = g.environment and c.campaign_id = g.campaign_id and not exists (
      select from recipient r where r.environment = g.environment and r.campaign_id = g.campaign_id offset 0
    );
  end if;
  return null;
end $$`,
  // A statement that queues for a table's lock holds up everybody behind it, so this one gives up soon and tries again.
  `do $do$
begin
  set local lock_timeout = '300ms';
  loop
    begin${trigger("recipient_added", "insert", "new table as added")}${trigger("recipient_changed", "update", "old table as gone new table as added")}${trigger("recipient_gone", "delete", "old table as gone")}
      exit;
    exception when lock_not_available then
      perform pg_sleep(1);
    end;
  end loop;
end $do$`,
  `insert into recipient_count as c (environment, campaign_id, slot, status, many)
select environment, campaign_id, -1, status, sum(n)::int from (
  select environment, campaign_id, status, count(*) as n from recipient group by 1, 2, 3
  union all
  select environment, campaign_id, status, -many from recipient_count
) r
group by 1, 2, 4 having sum(n) <> 0
on conflict (environment, campaign_id, slot, status) do update set many = c.many + excluded.many`
]
