import { type Signal, signal } from "@preact/signals"

/** Lists that are being prepared, by merchant and environment: in memory, because five megabytes fit no other place. */
const lists = new Map<string, Signal<string>>()
const prefix = "countersign.list."
/** A list as small as this survives a reload as well. */
const small = 200_000

const listOf = (key: string): Signal<string> => {
  const kept = lists.get(key)
  if (kept !== undefined) return kept
  const made = signal(sessionStorage.getItem(prefix + key) ?? "")
  lists.set(key, made)
  return made
}

/** The list of one plan, for whoever draws it. */
export const useList = (key: string): Signal<string> => listOf(key)

export const setList = (key: string, csv: string): void => {
  listOf(key).value = csv
  if (csv !== "" && csv.length <= small) sessionStorage.setItem(prefix + key, csv)
  else sessionStorage.removeItem(prefix + key)
}
