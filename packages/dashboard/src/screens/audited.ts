import type { Item } from "../api/Api.ts"
import { count, moment, money } from "../words/format.ts"
import { say } from "./auditedWords.ts"

export type Entry = Item<"GET /v1/dashboard/audit">
type Fields = NonNullable<Entry["from"]>

/** One field of a change, with what it was and what it is; null: there was, or is, nothing. */
export interface Change {
  /** `prices.SMS.default`, as the settings and the contract call it. */
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a field is an amount of money, in the smallest unit of the currency. */
export const isAmount = (field: string): boolean =>
  /^(amount|creditLimit|balanceLowAt|campaignFloor|(prices|dailyCap)(\..+)?)$/.test(field)

const isMoment = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)

/** A value as people say it. */
export const wordsOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (typeof value === "boolean") return value ? say.yes : say.no
  if (typeof value === "number") return count(value)
  if (typeof value === "string") return value === "" ? say.nothing : value
  if (Array.isArray(value))
    return value.length === 0 ? say.nothing : value.map((each) => wordsOf(each) ?? "–").join(", ")
  return JSON.stringify(value)
}

const shownIn = (field: string, value: unknown, currency: string | null): string | null => {
  if (typeof value === "number" && isAmount(field)) return money(value, currency)
  return isMoment(value) ? moment(new Date(value)) : wordsOf(value)
}

const changesIn = (from: Fields, to: Fields, path: string, currency: string | null): ReadonlyArray<Change> =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) => {
    const [before, after] = [from[name], to[name]]
    const field = path + name
    if (isFields(before) || isFields(after))
      return changesIn(isFields(before) ? before : {}, isFields(after) ? after : {}, `${field}.`, currency)
    if (wordsOf(before) === wordsOf(after)) return []
    return [{ field, before: shownIn(field, before, currency), after: shownIn(field, after, currency) }]
  })

/** Every field of a change by itself, those inside of others too. Without a currency an amount is a plain number. */
export const fieldsOf = (
  { from, to }: Pick<Entry, "from" | "to">,
  currency: string | null = null
): ReadonlyArray<Change> => changesIn(from ?? {}, to ?? {}, "", currency)

/** What was done, in words; a deed that is not known here is said as the service says it. */
export const deedOf = (action: string): string => say.actions[action] ?? action

/** Who did it, by what people know them by. */
export const actorOf = ({ actor }: Pick<Entry, "actor">): string => actor.label ?? actor.id ?? say.actors[actor.kind]

/** What the list of entries finds somebody by. */
export const nameOf = ({ actor }: Pick<Entry, "actor">): string => actor.id ?? actor.kind
