import { type ReadonlySignal, signal, useSignalEffect } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { useQuery } from "../query/useQuery.ts"
import { peopleSearch } from "./peopleSearch.ts"

/** Pause in typing before a search. A half-typed number counts as a search without a result. */
const patience = 350

/** The people that match the typed text, once the user pauses. */
export const useFoundPeople = (typed: ReadonlySignal<string>) => {
  const search = useMemo(() => signal<string | null>(null), [])
  useSignalEffect(() => {
    const next = peopleSearch(typed.value)
    if (next === null) search.value = null
    const timer = setTimeout(() => (search.value = next), patience)
    return () => clearTimeout(timer)
  })
  const people = useQuery("GET /v1/dashboard/people", () =>
    search.value === null ? null : { query: { search: search.value } }
  )
  return { search, people }
}
