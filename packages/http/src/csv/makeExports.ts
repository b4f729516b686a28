import { type Caller, type ListExport, ListExports, mayUnmask } from "@countersign/core"
import { Effect } from "effect"
import { RoleMissing } from "../Fault.ts"

/** Records exports before their first row is read. */
export const makeExports = Effect.map(ListExports, (exports) => {
  const begin = Effect.fnUntraced(function* (caller: Caller, exported: ListExport) {
    if (exported.unmasked && !mayUnmask(caller)) {
      return yield* new RoleMissing({ role: "ADMIN", needsPasskey: caller.person?.needsPasskey ?? false })
    }
    yield* exports.begin(caller, exported)
  })

  const namesOf = (query: object) =>
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || ["cursor", "limit", "unmask"].includes(name) ? [] : [name]
    )

  /** Records an export with the filters of a query. `of` is the object that the list belongs to. */
  const recorded = (
    caller: Caller,
    list: ListExport["list"],
    query: object,
    { of, unmasked = false }: { readonly of?: string; readonly unmasked?: boolean } = {}
  ) => begin(caller, { list, filters: namesOf(query), unmasked, ...(of === undefined ? {} : { of }) })

  return { recorded }
})
