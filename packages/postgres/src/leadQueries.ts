import type { LeadFilter } from "@countersign/core/storage"
import { leadColumns } from "./leadRows.ts"

/*
 * One text for each shape of the question: only so is the plan the right one for every question of that shape. The
 * walk needs nothing but its index; the rows are fetched for what is answered.
 */

/** What a list is of, as conditions on the columns of one index. `$1` is the environment, the rest follows. */
interface Walk {
  readonly conditions: ReadonlyArray<string>
  /** What the index has before the time that the filter leaves open: each of them is a walk, and they are merged. */
  readonly branches: ReadonlyArray<string>
  readonly parameters: number
}

/** `(…) is true` looks at a column without asking for an index of it. */
const walkOf = ({ assignedTo, phone, status, teamId }: LeadFilter): Walk => {
  let parameters = 1
  const next = () => `$${++parameters}`
  const ofNumber = phone === undefined ? undefined : `phone_end = reverse(${next()})`
  const ofOwner = assignedTo === undefined ? undefined : `owner = ${assignedTo === null ? "0" : next()}`
  const ofTeam = teamId === undefined ? undefined : `team = ${next()}`
  const open = status === undefined ? ["open = true", "open = false"] : [`open = ${status === "OPEN"}`]
  const looked = (condition: string | undefined) => (condition === undefined ? [] : [`(${condition}) is true`])
  const walk = (conditions: ReadonlyArray<string>, branches: ReadonlyArray<string>): Walk => ({
    conditions: ["environment = $1", ...conditions],
    branches,
    parameters
  })
  if (ofNumber !== undefined) {
    return walk([ofNumber, ...[ofOwner, ofTeam, status && open[0]].flatMap(looked)], ["true"])
  }
  if (ofTeam !== undefined && typeof assignedTo !== "number") {
    const owned = assignedTo === null ? ["owned = false"] : ["owned = true", "owned = false"]
    return walk(
      [ofTeam, "team > 0"],
      open.flatMap((one) => owned.map((other) => `${one} and ${other}`))
    )
  }
  // Of an agent's own leads, those of a team are found in the agent's index, which has the team beside.
  return ofOwner === undefined ? walk(["id > 0"], open) : walk([ofOwner, "owner >= 0", ...looked(ofTeam)], open)
}

/** The values of a filter, in the order in which its shape has them. */
export const filterValues = ({
  assignedTo,
  environment,
  phone,
  teamId
}: LeadFilter): ReadonlyArray<string | number> => [
  environment,
  ...(phone === undefined ? [] : [phone]),
  ...(typeof assignedTo === "number" ? [assignedTo] : []),
  ...(teamId === undefined ? [] : [teamId])
]

/** Each walk goes no further than the answer can need, in the order of its index. */
const list = (
  filter: LeadFilter,
  direction: "asc" | "desc",
  rest: (next: () => string) => { readonly from: string; readonly limit: string; readonly offset?: string }
) => {
  const { branches, conditions, parameters } = walkOf(filter)
  let last = parameters
  const { from, limit, offset = "0" } = rest(() => `$${++last}`)
  const order = `order by active_at ${direction}, id ${direction}`
  const walks = branches.map(
    (branch) => `(
      select id, active_at from lead where ${[...conditions, branch].join(" and ")}${from}
      ${order} limit ${offset}::bigint + ${limit}::int
    )`
  )
  return `
with place as materialized (
  select id, active_at from (
    ${walks.join(" union all ")}
  ) w ${order} offset ${offset}::bigint limit ${limit}::int
)
select ${leadColumns("l")} from place p
cross join lateral (select * from lead where environment = $1 and id = p.id offset 0) l
order by p.active_at ${direction}, p.id ${direction}`
}

/** Parameters after the filter's: offset, limit. */
export const page = (filter: LeadFilter): string =>
  list(filter, "desc", (next) => ({ from: "", offset: next(), limit: next() }))

/** Parameters after the filter's: the place's time, `-infinity` where no message is, its id, limit. */
export const after = (filter: LeadFilter, fromHead: boolean): string =>
  list(filter, "desc", (next) => ({
    from: fromHead ? "" : ` and (active_at, id) < (${next()}::timestamptz, ${next()}::int)`,
    limit: next()
  }))

/** Parameters after the filter's: the place's time and id, limit. */
export const movedSince = (filter: LeadFilter): string =>
  list(filter, "asc", (next) => ({
    from: ` and (active_at, id) > (${next()}::timestamptz, ${next()}::int)`,
    limit: next()
  }))

/** No character sorts behind it, so all that begins with a text is below the text with this at its end. */
const beyond = "chr(1114111)"

export const searchByPhoneEnd = `
select ${leadColumns("l")} from lead l
where environment = $1 and phone_end >= reverse($2) and phone_end < reverse($2) || ${beyond}
order by phone_end limit $3::int`

/**
 * The leads with the word that the fewest have, up to `$4` of them, and among them those with all other words. Where
 * each of several words begins the words of more leads than that, some may be left out.
 */
export const searchByWords = `
with rarest as materialized (
  select w.word from unnest($2::text[]) with ordinality as w(word, n)
  cross join lateral (
    select count(*) as many from (
      select 1 from lead_word
      where environment = $1 and word >= w.word and word < w.word || ${beyond} order by word, lead_id limit $4::int
    ) c
  ) c
  order by c.many, length(w.word) desc, w.n limit 1
), candidate as materialized (
  select distinct c.lead_id from rarest r
  cross join lateral (
    select lead_id from lead_word
    where environment = $1 and word >= r.word and word < r.word || ${beyond} order by word, lead_id limit $4::int
  ) c
)
select ${leadColumns("l")} from candidate c
cross join lateral (select * from lead where environment = $1 and id = c.lead_id offset 0) l
where not exists (select 1 from unnest($2::text[]) as w(word) where strpos(' ' || l.words, ' ' || w.word) = 0)
limit $3::int`

export const ownedBy = `
select ${leadColumns("l")} from unnest($1::text[]) as e(environment)
cross join lateral (
  select id from lead where environment = e.environment and owner = $2 and owner >= 0 order by open, active_at, id limit $3::int
) o
cross join lateral (select * from lead where environment = e.environment and id = o.id offset 0) l
limit $3::int`

export const openLeads = `
select a.id, c.many::int from unnest($2::int[]) as a(id)
cross join lateral (
  select count(*) as many from lead where environment = $1 and owner = a.id and owner >= 0 and open = true offset 0
) c`
