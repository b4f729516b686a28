import { Result } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { checkInstant } from "../../foundation/identity/checkInstant.ts"
import type { RefusalStore } from "./RefusalStore.ts"

export interface RefusalsRequest {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly reason?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

const pageSize = 50
const longestReason = 100

/** The validated filter for refusals. */
export const checkRefusals = ({
  cursor,
  limit = pageSize,
  reason,
  ...range
}: RefusalsRequest): Result.Result<Omit<RefusalStore.Page, "environment">, InvalidField> =>
  Result.gen(function* () {
    const from = yield* checkInstant("from", range.from)
    const to = yield* checkInstant("to", range.to)
    if (cursor !== undefined && !Identifier.is("rfs", cursor)) {
      return yield* Result.fail(
        new InvalidField({ field: "cursor", problem: "must be the nextCursor of the previous page" })
      )
    }
    if (reason !== undefined && (reason === "" || reason.length > longestReason)) {
      return yield* Result.fail(
        new InvalidField({ field: "reason", problem: `must have 1 to ${longestReason} characters` })
      )
    }
    const end = to === undefined ? "rfs_~" : Identifier.first("rfs", to)
    return {
      reason: reason ?? null,
      before: cursor !== undefined && cursor < end ? cursor : end,
      since: from === undefined ? "rfs_" : Identifier.first("rfs", from),
      limit
    }
  })
