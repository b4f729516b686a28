import { Result } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { checkOccurredAt, checkWord, invalid } from "./attributionFields.ts"
import type { ConversionRequest } from "./AttributionRequest.ts"
import { checkMoney } from "./checkMoney.ts"
import type { Money } from "./Touch.ts"

const longestEvent = 100
const largestProperties = 4_096

/** A conversion that passed the checks. */
export interface CheckedConversion {
  readonly at: Instant
  readonly event: string
  readonly money: Money | null
  /** Well-formed ids. Whether the objects exist is looked up later. */
  readonly launchId: string | null
  readonly requestId: string | null
  /** JSON. */
  readonly properties: string | null
}

const encoder = new TextEncoder()

const checkProperties = (given: ConversionRequest["properties"]): Result.Result<string | null, InvalidField> => {
  if (given == null) return Result.succeed(null)
  const json = Result.try(() => JSON.stringify(given))
  if (Result.isFailure(json)) return invalid("properties", "must be plain JSON")
  return encoder.encode(json.success).length <= largestProperties
    ? Result.succeed(json.success)
    : invalid("properties", `must be at most ${largestProperties} bytes of JSON`)
}

/** A malformed id counts as unknown, like an id that does not exist. */
const idOrNull = (prefix: "lch" | "ver", given: string | null | undefined): string | null =>
  given != null && Identifier.is(prefix, given) ? given : null

/** Checks a conversion. Fails with the first problem. */
export const checkConversion = (
  request: ConversionRequest,
  now: Instant
): Result.Result<CheckedConversion, InvalidField> =>
  Result.gen(function* () {
    const event = yield* checkWord("event", request.event, longestEvent)
    if (event === null) return yield* invalid("event", `must be 1 to ${longestEvent} characters on one line`)
    return {
      event,
      money: yield* checkMoney(request.value, request.currency),
      launchId: idOrNull("lch", request.launchId),
      requestId: idOrNull("ver", request.requestId),
      properties: yield* checkProperties(request.properties),
      at: yield* checkOccurredAt(request.occurredAt, now)
    }
  })
