/**
 * Where people came from. A launch carries what reports group it by in its index by time, so they read no row; a touch
 * carries the origin of its launch, and a trail that of its first launch, so no report looks at a launch for them.
 *
 * On an empty table all indexes are equal to Postgres, and its plans stay. So those by time say what only those ask who mean
 * them: that a time is later than none.
 *
 * Nothing that is indexed ever changes: the version of a launch, and all of a trail, are changed in place.
 */
export const attribution: ReadonlyArray<string> = [
  `create table launch (
    environment text collate "C" not null,
    id text collate "C" not null,
    version int not null,
    at timestamptz not null,
    source text collate "C" not null,
    medium text collate "C" not null,
    campaign text collate "C" not null,
    visitor text collate "C",
    click text collate "C",
    state text not null,
    primary key (environment, id)
  ) with (fillfactor = 90, autovacuum_vacuum_insert_scale_factor = 0.02)`,
  "create index launch_by_time on launch (environment, at) include (source, medium, campaign) where at > '-infinity'",
  "create index launch_of_visitor on launch (environment, visitor, at, id) where visitor is not null",
  "create index launch_of_click on launch (environment, click, at, id) where click is not null",

  `create table trail (
    environment text collate "C" not null,
    key text collate "C" not null,
    version int not null,
    first_id text collate "C" not null,
    first_at timestamptz not null,
    source text collate "C" not null,
    medium text collate "C" not null,
    campaign text collate "C" not null,
    visitor text collate "C",
    primary key (environment, key)
  ) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05)`,

  `create table touch (
    environment text collate "C" not null,
    kind text collate "C" not null,
    id text collate "C" not null,
    at timestamptz not null,
    launch_id text collate "C",
    visitor text collate "C",
    click text collate "C",
    source text collate "C" not null,
    medium text collate "C" not null,
    campaign text collate "C" not null,
    micros bigint,
    currency text collate "C" not null,
    details text,
    primary key (environment, kind, id)
  )`,
  "create index touch_by_time on touch (environment, at) where at > '-infinity'",
  "create index touch_of_launch on touch (environment, launch_id) where launch_id is not null"
]
