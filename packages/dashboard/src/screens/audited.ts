import type { Item } from "../api/Api.ts"
import { count } from "../words/format.ts"
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

const changesIn = (from: Fields, to: Fields, path: string): ReadonlyArray<Change> =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) => {
    const [before, after] = [from[name], to[name]]
    const field = path + name
    if (isFields(before) || isFields(after))
      return changesIn(isFields(before) ? before : {}, isFields(after) ? after : {}, `${field}.`)
    const change = { field, before: wordsOf(before), after: wordsOf(after) }
    return change.before === change.after ? [] : [change]
  })

/** Every field of a change by itself, those inside of others too. */
export const fieldsOf = ({ from, to }: Pick<Entry, "from" | "to">): ReadonlyArray<Change> =>
  changesIn(from ?? {}, to ?? {}, "")

/** What was done, in words; a deed that is not known here is said as the service says it. */
export const deedOf = (action: string): string => say.actions[action] ?? action

/** Who did it, by what people know them by. */
export const actorOf = ({ actor }: Pick<Entry, "actor">): string => actor.label ?? actor.id ?? say.actors[actor.kind]

/** What the list of entries finds somebody by. */
export const nameOf = ({ actor }: Pick<Entry, "actor">): string => actor.id ?? actor.kind
