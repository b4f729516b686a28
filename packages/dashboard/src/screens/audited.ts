import type { Item } from "../api/Api.ts"
import { count, moment, money } from "../words/format.ts"
import { say } from "./auditedWords.ts"

export type Entry = Item<"GET /v1/dashboard/audit">
type Fields = NonNullable<Entry["from"]>

/** A changed field with its old and new value. Null means unset. */
export interface Change {
  /** Path of the field in the contract, such as `prices.SMS.default`. */
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Whether a field is an amount in the smallest unit of the currency. */
export const isAmount = (field: string): boolean =>
  /^(amount|creditLimit|balanceLowAt|campaignFloor|(prices|dailyCap)(\..+)?)$/.test(field)

const isMoment = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value)

/** A value as text. */
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

/** All changed fields, including nested ones. Without a currency, amounts are plain numbers. */
export const fieldsOf = (
  { from, to }: Pick<Entry, "from" | "to">,
  currency: string | null = null
): ReadonlyArray<Change> => changesIn(from ?? {}, to ?? {}, "", currency)

/** An action as text. An unknown action is shown as its wire name. */
export const deedOf = (action: string): string => say.actions[action] ?? action

export const actorOf = ({ actor }: Pick<Entry, "actor">): string => actor.label ?? actor.id ?? say.actors[actor.kind]

/** The value that the actor filter sends to the service. */
export const nameOf = ({ actor }: Pick<Entry, "actor">): string => actor.id ?? actor.kind
