import { country } from "../../words/format.ts"
import { countries } from "../../words/countries.ts"
import { language } from "../../words/language.ts"
import type { ListOf } from "./spec.ts"
import { say } from "./words.ts"

const languages = new Intl.DisplayNames(language, { type: "language" })

/** A language by its tag, such as `en` or `pt-BR`. An unknown tag is returned unchanged. */
export const languageName = (tag: string): string => {
  try {
    return languages.of(tag.replace("_", "-")) ?? tag
  } catch {
    return tag
  }
}

const letters = "abcdefghijklmnopqrstuvwxyz".split("")

/** All languages with a two-letter tag, and the stored one, sorted by name in the language of the page. */
export const languageChoices = (stored: string): ReadonlyArray<readonly [tag: string, name: string]> => {
  const tags = letters.flatMap((first) => letters.map((second) => first + second))
  // A tag that was replaced, such as `iw`, has the name of the new one.
  const known = tags.filter((tag) => languageName(tag) !== tag && new Intl.Locale(tag).language === tag)
  return [...new Set(stored === "" ? known : [...known, stored])]
    .map((tag) => [tag, languageName(tag)] as const)
    .sort(([, a], [, b]) => a.localeCompare(b))
}

/** Types of numbers that a merchant can block, as the contract names them. */
export const numberTypes = Object.keys(say.numberTypes) as ReadonlyArray<keyof typeof say.numberTypes>

const guardReasons = Object.keys(say.guardReasons) as ReadonlyArray<keyof typeof say.guardReasons>

/** An entry of a list, in words. */
export const entryName = (entry: string, of: ListOf | undefined): string =>
  of === "countries"
    ? country(entry)
    : of === "numberTypes"
      ? (say.numberTypes[entry as (typeof numberTypes)[number]] ?? entry)
      : of === "guardReasons"
        ? (say.guardReasons[entry as (typeof guardReasons)[number]] ?? entry)
        : entry

/** Entries to choose from, by name. Prefixes have none. */
export const choicesOf = (of: ListOf): ReadonlyArray<readonly [entry: string, name: string]> =>
  of === "countries"
    ? countries()
    : of === "numberTypes"
      ? numberTypes.map((type) => [type, say.numberTypes[type]] as const)
      : of === "guardReasons"
        ? guardReasons.map((reason) => [reason, say.guardReasons[reason]] as const)
        : []

const plain = (text: string) => text.trim().toLocaleLowerCase()

/**
 * The entry of a typed text: a name, or what the contract calls it. Null when there is none. A calling code without a
 * country, such as `+881`, is an entry of the countries.
 */
export const entryOf = (text: string, of: ListOf, choices = choicesOf(of)): string | null => {
  const typed = plain(text)
  if (of === "prefixes") return /^\+?[1-9]\d{0,14}$/.test(typed) ? typed.replace("+", "") : null
  const [exact] = choices.find(([entry, name]) => plain(name) === typed || plain(entry) === typed) ?? []
  if (exact !== undefined) return exact
  if (of === "countries" && /^\+[1-9]\d{0,6}$/.test(typed)) return typed
  // The beginning of a name is enough when only one has it.
  const begins = typed.length < 3 ? [] : choices.filter(([, name]) => plain(name).startsWith(typed))
  return begins.length === 1 ? begins[0]![0] : null
}

/** The entries of a typed or pasted text, and the parts that are none. */
export const entriesOf = (
  text: string,
  of: ListOf
): { readonly entries: ReadonlyArray<string>; readonly rest: string } => {
  const choices = choicesOf(of)
  const whole = entryOf(text, of, choices)
  if (whole !== null) return { entries: [whole], rest: "" }
  const parts = text
    // Not at spaces: `91 98` is one prefix or two, and 91 alone would block a whole country.
    .split(/[\n,;]+/)
    .map((part) => part.trim())
    .filter((part) => part !== "")
  const read = parts.map((part) => [part, entryOf(part, of, choices)] as const)
  return {
    entries: read.flatMap(([, entry]) => entry ?? []),
    rest: read.flatMap(([part, entry]) => (entry === null ? [part] : [])).join(", ")
  }
}
