import { isOk } from "./guardedStatements.ts"

/** What is known of the rows that a change was decided on, each locked where it still is at that version. */
export const held = (table: string, scope: string, also = "") => `${table}_held as materialized (
  select g.*, t.place, t.found${also === "" ? "" : `, t.${also} as had`}
  from (select * from ${table}_given where version > 0 order by ${scope}, id offset 0) g
  cross join lateral (
    select ctid as place, version as found${also === "" ? "" : `, ${also}`} from ${table}
    where ${scope} = g.${scope} and id = g.id and version = g.version
    offset 0 for update
  ) t
)`

/** What the turns of agents and those of teams are counted under; agents are always taken first. */
export const agentTurns = 7_001
export const teamTurns = 7_002

/**
 * Who works for a merchant changes by turns. New rows that claim one name at one moment would each be there before the
 * other is looked for: each then waits for the other until Postgres ends one as a deadlock, a second later.
 */
export const inTurn = (kind: number, merchants: string) => `(
    select count(taken) from (
      select pg_advisory_xact_lock(${kind}, scope) is null as taken
      from (select distinct hashtext(m) as scope from unnest(${merchants}) as m order by 1 offset 0) o offset 0
    ) l
  ) turn cross join `

/** A known row is changed where it was locked, a new one is inserted. Columns after the version are as they are given. */
export const written = (table: string, scope: string, columns: ReadonlyArray<string>) => [
  `${table}_known as (
  update ${table} t set version = g.version + 1, ${columns.map((name) => `${name} = g.${name}`).join(", ")}
  from ${table}_held g where t.ctid = g.place and t.version = g.found and ${isOk}
)`,
  `${table}_fresh as (
  insert into ${table} (${scope}, id, version, ${columns.join(", ")})
  select ${scope}, id, 1, ${columns.join(", ")} from ${table}_given where version = 0 and ${isOk} order by ${scope}, id
)`
]
