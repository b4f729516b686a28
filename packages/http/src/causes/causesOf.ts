import type { ErrorCode } from "../contract/ErrorEnvelope.ts"
import type { Causes } from "./Cause.ts"
import { missing } from "./missing.ts"
import { payments } from "./payments.ts"
import { refusals } from "./refusals.ts"
import { requests } from "./requests.ts"
import { troubles } from "./troubles.ts"

/** What each code is answered for, and what to do then: `docs/errors.md` is made of it. A code without causes does not compile. */
export const causesOf = {
  ...requests,
  ...refusals,
  ...payments,
  ...missing,
  ...troubles
} as const satisfies { readonly [C in ErrorCode]: Causes }
