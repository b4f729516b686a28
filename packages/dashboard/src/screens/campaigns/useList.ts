import { type Signal, signal } from "@preact/signals"

/** Draft lists by merchant and environment. In memory, because session storage cannot hold five megabytes. */
const lists = new Map<string, Signal<string>>()
const prefix = "countersign.list."
/** A list up to this size also survives a reload. */
const small = 200_000

const listOf = (key: string): Signal<string> => {
  const kept = lists.get(key)
  if (kept !== undefined) return kept
  const made = signal(sessionStorage.getItem(prefix + key) ?? "")
  lists.set(key, made)
  return made
}

/** The list of a draft. */
export const useList = (key: string): Signal<string> => listOf(key)

export const setList = (key: string, csv: string): void => {
  listOf(key).value = csv
  if (csv !== "" && csv.length <= small) sessionStorage.setItem(prefix + key, csv)
  else sessionStorage.removeItem(prefix + key)
}
