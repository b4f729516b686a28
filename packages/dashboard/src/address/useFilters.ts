import { computed, type ReadonlySignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { go, here } from "./here.ts"

/** How a value stands in the address: what it means, or undefined where it means nothing. */
export type Filter<T> = (text: string) => T | undefined

/** What a screen can be asked for, by the names in its address. */
export type FilterSpec = { readonly [name: string]: Filter<string | number | boolean> }
export type Filters<S extends FilterSpec> = { readonly [N in keyof S]?: NonNullable<ReturnType<S[N]>> }

export const text: Filter<string> = (value) => (value.trim() === "" ? undefined : value)
export const oneOf =
  <const V extends string>(values: ReadonlyArray<V>): Filter<V> =>
  (value) =>
    values.find((each) => each === value)
export const flag: Filter<boolean> = (value) => (value === "true" ? true : undefined)
/** A moment, as ISO writes it. */
export const instant: Filter<string> = (value) =>
  Number.isNaN(Date.parse(value)) ? undefined : new Date(value).toISOString()

/** The values of an address that mean something; all else is dropped, and a repeated name counts once. */
export const filtersIn = <S extends FilterSpec>(spec: S, search: string): Filters<S> => {
  const given = new URLSearchParams(search)
  const found: { [name: string]: unknown } = {}
  for (const [name, filter] of Object.entries(spec)) {
    const written = given.get(name)
    const value = written === null ? undefined : filter(written)
    if (value !== undefined) found[name] = value
  }
  return found as Filters<S>
}

const searchOf = (path: string) => (path.includes("?") ? path.slice(path.indexOf("?")) : "")

/** A signal over the address's query; unknown values are dropped. The same query is the same object. */
export const useFilters = <S extends FilterSpec>(spec: S): ReadonlySignal<Filters<S>> =>
  useMemo(() => {
    const search = computed(() => searchOf(here.value))
    return computed(() => filtersIn(spec, search.value))
  }, [])

/** Puts values into the address, in place of those of the same names; undefined takes one out. */
export const setFilters = (values: { readonly [name: string]: string | number | boolean | null | undefined }): void => {
  const path = here.peek()
  const search = new URLSearchParams(searchOf(path))
  for (const [name, value] of Object.entries(values))
    if (value === undefined || value === null || value === "") search.delete(name)
    else search.set(name, String(value))
  const [pathname] = path.split("?")
  go(search.size === 0 ? `${pathname}` : `${pathname}?${search}`, { replace: true })
}
