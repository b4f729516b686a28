/**
 * Statistics: the version of each environment's sums, and the sums by quarter hour and by day of UTC. A bucket is written
 * again and again while its time goes on, and keeps its place in the indexes.
 */
export const statistics: ReadonlyArray<string> = [
  "alter table fact add column times int not null default 1",
  `create table stat_head (
    environment text collate "C" primary key,
    version int not null
  ) with (fillfactor = 50)`,
  `create table stat_bucket (
    environment text collate "C" not null,
    span text collate "C" not null,
    at timestamptz not null,
    channel text collate "C" not null,
    country text collate "C" not null,
    path text collate "C" not null,
    template text collate "C" not null,
    counts text not null,
    latencies text not null,
    primary key (environment, span, at, channel, country, path, template)
  ) with (fillfactor = 60)`,
  "create index stat_bucket_age on stat_bucket (at) where span = 'QUARTER'"
]
