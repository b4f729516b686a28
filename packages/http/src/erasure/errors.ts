import type { UnknownErasure, UnknownPerson } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of erasures. */
export const errors = defineErrors({
  UnknownErasure: (_: UnknownErasure) => ({
    errorCode: "ERASURE_NOT_FOUND",
    message: "No erasure has this id in this environment"
  }),
  UnknownPerson: (_: UnknownPerson) => ({
    errorCode: "PERSON_NOT_FOUND",
    message: "This is not the reference of a person in this environment; use the `person` of one of their records"
  })
})
