import type { Item } from "../api/Api.ts"
import { channelName } from "../words/channels.ts"
import { count, moment, money, seconds } from "../words/format.ts"
import { say as shared } from "../words/say.ts"
import { settingWords } from "../words/settingsIndex.ts"
import { fieldWords, lookUp } from "./auditedFieldWords.ts"
import { say } from "./auditedWords.ts"

export type Entry = Item<"GET /v1/dashboard/audit">
type Fields = NonNullable<Entry["from"]>

/** A changed field with its old and new value. Null means unset. */
export interface Change {
  /** Path of the field in the contract, such as `prices.SMS.default`. */
  readonly field: string
  /** The path as text, such as `Prices, SMS, other numbers`. */
  readonly label: string
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

/** A value as text, without knowledge of its field. */
export const wordsOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (typeof value === "boolean") return value ? say.yes : say.no
  if (typeof value === "number") return count(value)
  if (typeof value === "string") return value === "" ? say.nothing : value
  if (Array.isArray(value))
    return value.length === 0 ? say.nothing : value.map((each) => wordsOf(each) ?? "–").join(", ")
  return JSON.stringify(value)
}

const nameIn = (part: string): string => lookUp(fieldWords.fields, part) ?? part

const isByChannel = (setting: string): boolean => setting === "prices" || setting === "dailyCap"

/** A field's path as text. The first part of a changed setting is the setting's name. */
const labelOf = (field: string, isSetting: boolean): string => {
  const [first = "", ...parts] = field.split(".")
  const setting = isSetting ? lookUp(settingWords.names, first) : undefined
  const labels = parts.map((part, at) => (at === 0 && isByChannel(first) ? channelName(part) : nameIn(part)))
  return [setting ?? nameIn(first), ...labels].join(", ")
}

const codes: Readonly<Record<string, object>> = { ...fieldWords.values, role: shared.shell.role }

const isChannel = (field: string) => /^(channel|primaryChannel|fallbackChannel)$/.test(field)

const shownIn = (field: string, value: unknown, currency: string | null): string | null => {
  if (typeof value === "number" && isAmount(field)) return money(value, currency)
  if (typeof value === "number" && field.endsWith("Seconds")) return seconds(value)
  if (typeof value === "string" && Object.hasOwn(codes, field)) return lookUp(codes[field]!, value) ?? value
  if (typeof value === "string" && value !== "" && isChannel(field)) return channelName(value)
  return isMoment(value) ? moment(new Date(value)) : wordsOf(value)
}

/** The kind of an entry's target as text. */
export const kindOf = ({ target: { kind } }: Pick<Entry, "target">): string => lookUp(fieldWords.kinds, kind) ?? kind

const names = ["name", "url", "email", "header"]

/** The target as text: its kind, and its name where the entry has one, or its id. Settings have no name of their own. */
export const targetOf = (entry: Pick<Entry, "from" | "target" | "to">): string => {
  const { id, kind } = entry.target
  if (kind === "settings") return kindOf(entry)
  const fields = entry.to ?? entry.from ?? {}
  const name = names.map((field) => fields[field]).find((value) => typeof value === "string" && value !== "")
  return `${kindOf(entry)} ${typeof name === "string" ? name : id}`
}

interface Reading {
  readonly currency: string | null
  readonly isSetting: boolean
}

const changesIn = (from: Fields, to: Fields, path: string, reading: Reading): ReadonlyArray<Change> =>
  [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) => {
    const [before, after] = [from[name], to[name]]
    const field = path + name
    if (isFields(before) || isFields(after))
      return changesIn(isFields(before) ? before : {}, isFields(after) ? after : {}, `${field}.`, reading)
    if (wordsOf(before) === wordsOf(after)) return []
    const shown = (value: unknown) => shownIn(field, value, reading.currency)
    return [{ field, label: labelOf(field, reading.isSetting), before: shown(before), after: shown(after) }]
  })

/** All changed fields, including nested ones. Without a currency, amounts are plain numbers. */
export const fieldsOf = (
  { from, target, to }: Pick<Entry, "from" | "target" | "to">,
  currency: string | null = null
): ReadonlyArray<Change> => changesIn(from ?? {}, to ?? {}, "", { currency, isSetting: target.kind === "settings" })

/** An action as text. An unknown action is shown as its wire name. */
export const deedOf = (action: string): string => say.actions[action] ?? action

export const actorOf = ({ actor }: Pick<Entry, "actor">): string => actor.label ?? actor.id ?? say.actors[actor.kind]

/** The value that the actor filter sends to the service. */
export const nameOf = ({ actor }: Pick<Entry, "actor">): string => actor.id ?? actor.kind
