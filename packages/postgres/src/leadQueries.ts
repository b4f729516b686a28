import type { LeadStore } from "@countersign/core/storage"
import { lead, none } from "./leadTables.ts"

/*
 * Each combination of filters has its own statement text, so that its cached plan fits every request of that shape. The
 * scan reads only its index; full rows are fetched only for the result.
 */

/** A filter as conditions on the columns of one index. `$1` is the environment; the other parameters follow. */
interface Walk {
  readonly conditions: ReadonlyArray<string>
  /**
   * The filter may leave index columns before the time open. Each combination of their values is scanned separately,
   * and the results are merged.
   */
  readonly branches: ReadonlyArray<string>
  readonly parameters: number
}

const hasLabel = (parameter: string) => `labels <> '' and string_to_array(labels, ' ') @> array[${parameter}]`

/** `(…) is true` checks a column without making Postgres look for an index on it. */
const walkOf = ({ assignedTo, label, phone, status, teamId }: LeadStore.Filter): Walk => {
  let parameters = 1
  const next = () => `$${++parameters}`
  const ofNumber = phone === undefined ? undefined : `phone_end = reverse(${next()})`
  const ofOwner = assignedTo === undefined ? undefined : `owner = ${assignedTo === null ? "0" : next()}`
  const ofTeam = teamId === undefined ? undefined : `team = ${next()}`
  const ofLabel = label === undefined ? undefined : hasLabel(next())
  const open = status === undefined ? ["open = true", "open = false"] : [`open = ${status === "OPEN"}`]
  const looked = (condition: string | undefined) => (condition === undefined ? [] : [`(${condition}) is true`])
  const inEnvironment = "environment = $1"
  const walk = (conditions: ReadonlyArray<string>, branches: ReadonlyArray<string>): Walk => ({
    conditions: [inEnvironment, ...conditions],
    branches,
    parameters
  })
  if (ofNumber !== undefined) {
    return walk([ofNumber, ...[ofOwner, ofTeam, ofLabel, status && open[0]].flatMap(looked)], ["true"])
  }
  // The leads with a label are read from its index and sorted.
  if (ofLabel !== undefined) {
    const others = [inEnvironment, ofOwner, ofTeam, status && open[0]].flatMap(looked)
    return { conditions: [ofLabel, ...others], branches: ["true"], parameters }
  }
  if (ofTeam !== undefined && typeof assignedTo !== "number") {
    const owned = assignedTo === null ? ["owned = false"] : ["owned = true", "owned = false"]
    return walk(
      [ofTeam, "team > 0"],
      open.flatMap((one) => owned.map((other) => `${one} and ${other}`))
    )
  }
  if (ofTeam !== undefined && ofOwner !== undefined) {
    return walk([ofOwner, ofTeam, "owner <> 0", "team <> 0"], open)
  }
  return ofOwner === undefined ? walk(["id > 0"], open) : walk([ofOwner, "owner >= 0"], open)
}

/** The parameters of a filter, in the order of its statement. */
export const filterValues = ({
  assignedTo,
  environment,
  label,
  phone,
  teamId
}: LeadStore.Filter): ReadonlyArray<string | number> => [
  environment,
  ...(phone === undefined ? [] : [phone]),
  ...(typeof assignedTo === "number" ? [assignedTo] : []),
  ...(teamId === undefined ? [] : [teamId]),
  ...(label === undefined ? [] : [label])
]

/** Each scan follows its index and reads no more rows than the result can need. */
const list = (
  filter: LeadStore.Filter,
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
select ${lead.select("l")} from place p
cross join lateral (select * from lead where environment = $1 and id = p.id offset 0) l
order by p.active_at ${direction}, p.id ${direction}`
}

/** Parameters after the filter's: offset, limit. */
export const page = (filter: LeadStore.Filter): string =>
  list(filter, "desc", (next) => ({ from: "", offset: next(), limit: next() }))

/**
 * Parameters after the filter's: the time to continue from (`-infinity` for a lead without messages), its id, limit.
 */
export const after = (filter: LeadStore.Filter, fromHead: boolean): string =>
  list(filter, "desc", (next) => ({
    from: fromHead ? "" : ` and (active_at, id) < (${next()}::timestamptz, ${next()}::int)`,
    limit: next()
  }))

/** Parameters after the filter's: the time and id to continue from, limit. */
export const movedSince = (filter: LeadStore.Filter): string =>
  list(filter, "asc", (next) => ({
    from: ` and (active_at, id) > (${next()}::timestamptz, ${next()}::int)`,
    limit: next()
  }))

const ownerOr = (assignedTo: number | null | undefined, next: () => string) =>
  assignedTo === undefined ? "" : ` and (owner = ${assignedTo === null ? none : next()}) is true`

/**
 * Parameters: environment, limit, the time until which leads wait, then the time and id to continue from unless `fromHead`, then those of the filter: agent,
 * team and label.
 */
export const waiting = ({ assignedTo, label, teamId }: LeadStore.WaitingFilter, fromHead: boolean): string => {
  let last = 3
  const next = () => `$${++last}`
  const from = fromHead ? "" : ` and (waiting_at, id) > (${next()}::timestamptz, ${next()}::int)`
  const owned = ownerOr(assignedTo, next)
  const inTeam = teamId === undefined ? "" : ` and (team = ${next()}) is true`
  const labelled = label === undefined ? "" : ` and (${hasLabel(next())}) is true`
  return `
with place as materialized (
  select id, waiting_at from lead
  where environment = $1 and waiting_at <= $3::timestamptz${from}${owned}${inTeam}${labelled}
  order by waiting_at, id limit $2::int
)
select ${lead.select("l")} from place p
cross join lateral (select * from lead where environment = $1 and id = p.id offset 0) l
order by p.waiting_at, p.id`
}

/** Parameters: environment, the most to count, the time until which leads wait. */
export const countWaiting = `
select count(*)::int, min(waiting_at) from (
  select waiting_at from lead where environment = $1 and waiting_at <= $3::timestamptz order by waiting_at, id limit $2::int
) w`

/** The highest character: every string with a given prefix sorts below the prefix followed by it. */
const beyond = "chr(1114111)"

export const searchByPhoneEnd = `
select ${lead.select("l")} from lead l
where environment = $1 and phone_end >= reverse($2) and phone_end < reverse($2) || ${beyond}
order by phone_end limit $3::int`

/** How many entries a search by several words counts and reads: first few, then more if too few leads match. */
const atFirst = { counted: 200, looked: 1_000 }
const atMost = { counted: 10_000, looked: 10_000 }

/** Up to `most` entries of words that start with `w.word`, read in index order. */
const entries = (most: number | string) => `
    select word, lead_id, words from lead_word
    where environment = $1 and word >= w.word and word < w.word || ${beyond} order by word, lead_id limit ${most}`

/** The searched word with the fewest entries. */
const rarest = (counted: number) => `
  select w.word, c.many from unnest($2::text[]) with ordinality as w(word, n)
  cross join lateral (select count(*) as many from (${entries(counted)}
  ) e) c
  order by c.many, length(w.word) desc, w.n limit 1`

/**
 * Reads the entries of one word until `$3` leads match all words. If several words of a lead start with that word, only
 * the first entry counts.
 */
const withAll = (from: string, looked: number | string) => `
  select e.lead_id from ${from}
  cross join lateral (${entries(looked)}
  ) e
  where not exists (select 1 from unnest($2::text[]) as o(word) where strpos(' ' || e.words, ' ' || o.word) = 0)
    and strpos(' ' || e.words || ' ', ' ' || w.word) = strpos(' ' || e.words || ' ', ' ' || e.word || ' ')
  limit $3::int`

const leadsOf = (found: string) => `
select ${lead.select("l")} from ${found} f
cross join lateral (select * from lead where environment = $1 and id = f.lead_id offset 0) l`

/** Parameters: environment, the word in an array, limit, and the most entries that this many leads can have. */
export const searchByWord = leadsOf(`(${withAll("unnest($2::text[]) as w(word)", "$4::int")}
)`)

/**
 * Parameters: environment, words, limit. If a word has few entries, all matching leads are found. If every word has
 * many, a short scan usually finds enough. Otherwise it counts and reads more; entries beyond `atMost` are left out.
 */
export const searchByWords = `
with rare as materialized (${rarest(atFirst.counted)}
), quick as materialized (${withAll("rare w", atFirst.looked)}
), enough as materialized (
  select (select many from rare) < ${atFirst.counted} or (select count(*) from quick) >= $3::int as is
), rarer as materialized (${rarest(atMost.counted)}
), found as materialized (
  select lead_id from quick where (select e.is from enough e)
  union all
  (${withAll("(select * from rarer where not (select e.is from enough e)) w", atMost.looked)}
  )
)
${leadsOf("found").trim()}`

export const ownedBy = `
select ${lead.select("l")} from unnest($1::text[]) as e(environment)
cross join lateral (
  select id from lead where environment = e.environment and owner = $2 and owner >= 0 order by open, active_at, id limit $3::int
) o
cross join lateral (select * from lead where environment = e.environment and id = o.id offset 0) l
limit $3::int`

export const openLeads = `
select a.id, c.many::int from unnest($2::int[]) as a(id)
cross join lateral (
  select count(*) as many from (
    select from lead where environment = $1 and owner = a.id and owner >= 0 and open = true limit $3::int
  ) l
) c`
