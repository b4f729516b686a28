import type { ErrorCode } from "../contract/ErrorEnvelope.ts"
import type { Causes } from "./Cause.ts"
import { missing } from "./missing.ts"
import { payments } from "./payments.ts"
import { refusals } from "./refusals.ts"
import { requests } from "./requests.ts"
import { troubles } from "./troubles.ts"

/** The causes of each error code, and what to do. Generates `docs/errors.md`. A code without causes is a compile error. */
export const causesOf = {
  ...requests,
  ...refusals,
  ...payments,
  ...missing,
  ...troubles
} as const satisfies { readonly [C in ErrorCode]: Causes }
