/**
 * Who has which lead open. A row is written again every few seconds and gone within minutes, so its times are in no index:
 * it is updated in place, and whoever forgets reads a table that is small.
 */
export const presence: ReadonlyArray<string> = [
  `create table lead_presence (
    environment text collate "C" not null,
    lead_id int not null,
    agent_id int not null,
    email text not null,
    typing boolean not null,
    since timestamptz not null,
    seen_at timestamptz not null,
    primary key (environment, lead_id, agent_id)
  ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05)`
]
