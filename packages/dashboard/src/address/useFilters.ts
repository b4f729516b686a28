import { computed, type ReadonlySignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { type Filters, type FilterSpec, filtersIn } from "./filtersIn.ts"
import { go, here } from "./here.ts"

const searchOf = (path: string) => (path.includes("?") ? path.slice(path.indexOf("?")) : "")

/** A signal of the screen's filters. Invalid values are dropped, and an equal query yields the same object. */
export const useFilters = <S extends FilterSpec>(spec: S): ReadonlySignal<Filters<S>> =>
  useMemo(() => {
    const search = computed(() => searchOf(here.value))
    return computed(() => filtersIn(spec, search.value))
  }, [])

/** Sets filters in the address. Undefined removes one. */
export const setFilters = (values: { readonly [name: string]: string | number | boolean | null | undefined }): void => {
  const path = here.peek()
  const search = new URLSearchParams(searchOf(path))
  for (const [name, value] of Object.entries(values))
    if (value === undefined || value === null || value === "") search.delete(name)
    else search.set(name, String(value))
  const [pathname] = path.split("?")
  go(search.size === 0 ? `${pathname}` : `${pathname}?${search}`, { replace: true })
}
