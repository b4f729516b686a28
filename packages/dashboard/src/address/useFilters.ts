import { computed, type ReadonlySignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { type Filters, type FilterSpec, filtersIn, searchWith, type Settable } from "./filtersIn.ts"
import { go, here } from "./here.ts"

const searchOf = (path: string) => (path.includes("?") ? path.slice(path.indexOf("?")) : "")

/** A signal of the screen's filters. Invalid values are dropped, and an equal query yields the same object. */
export const useFilters = <S extends FilterSpec>(spec: S): ReadonlySignal<Filters<S>> =>
  useMemo(() => {
    const search = computed(() => searchOf(here.value))
    return computed(() => filtersIn(spec, search.value))
  }, [])

/** Sets filters of a screen in the address. Null removes one. */
export const setFilters = <S extends FilterSpec>(spec: S, values: Settable<S>): void => {
  const path = here.peek()
  const search = searchWith(spec, searchOf(path), values)
  const [pathname] = path.split("?")
  go(search.size === 0 ? `${pathname}` : `${pathname}?${search}`, { replace: true })
}

/** Sets one filter to the text of its control. A text that the screen does not read removes it. */
export const setFilter = <S extends FilterSpec>(spec: S, name: keyof S & string, text: string): void =>
  setFilters(spec, { [name]: spec[name]?.(text) } as Settable<S>)
