import { Result } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { checkInstant } from "../../foundation/identity/checkInstant.ts"
import { checkPerson } from "./checkPerson.ts"
import type { RefusalStore } from "./RefusalStore.ts"

export interface RefusalsRequest {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly reason?: string | undefined
  /** A person's reference. */
  readonly person?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

const pageSize = 50
const longestReason = 100

/** The validated filter for refusals, with the canonical identity that it names, if any. */
export interface CheckedRefusals extends Omit<RefusalStore.Page, "environment" | "persons"> {
  readonly canonical: string | null
}

/** Validates a filter. `openPerson` returns the canonical identity of a reference, or null. */
export const checkRefusals = (
  { cursor, limit = pageSize, person, reason, ...range }: RefusalsRequest,
  openPerson: (reference: string) => string | null
): Result.Result<CheckedRefusals, InvalidField> =>
  Result.gen(function* () {
    const from = yield* checkInstant("from", range.from)
    const to = yield* checkInstant("to", range.to)
    if (cursor !== undefined && !Identifier.is("rfs", cursor)) {
      return yield* Result.fail(invalidField("cursor", Problem.of("CURSOR")))
    }
    if (reason !== undefined && (reason === "" || reason.length > longestReason)) {
      return yield* Result.fail(invalidField("reason", Problem.of("LENGTH", { min: 1, max: longestReason })))
    }
    const end = to === undefined ? "rfs_~" : Identifier.first("rfs", to)
    return {
      canonical: yield* checkPerson({ person }, null, openPerson),
      reason: reason ?? null,
      before: cursor !== undefined && cursor < end ? cursor : end,
      since: from === undefined ? "rfs_" : Identifier.first("rfs", from),
      limit
    }
  })
