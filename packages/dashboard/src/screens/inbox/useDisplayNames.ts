import { signal, useSignalEffect } from "@preact/signals"
import { useQuery } from "../../query/useQuery.ts"

/** The display names of team members by e-mail address, for those who chose one. */
export const displayNames = signal<ReadonlyMap<string, string>>(new Map())

/** Loads the names of team members for everything that shows them. */
export const useDisplayNames = (): void => {
  const assignees = useQuery("GET /v1/dashboard/assignees", () => ({}), "person")
  useSignalEffect(() => {
    displayNames.value = new Map(
      assignees.answer.value?.items.flatMap(({ email, name }) => (name === null ? [] : [[email, name] as const]))
    )
  })
}
