import { Result } from "effect"
import { fromIso, type Instant } from "../time/Instant.ts"
import { InvalidField } from "./InvalidField.ts"

/** Parses a time in a query; undefined when it is absent. */
export const checkInstant = (
  field: string,
  text: string | undefined
): Result.Result<Instant | undefined, InvalidField> => {
  const instant = text === undefined ? undefined : fromIso(text)
  return instant === null || (instant !== undefined && (instant < 0 || instant > 2 ** 48))
    ? Result.fail(new InvalidField({ field, problem: "must be a time such as 2026-01-31T09:30:00.000Z" }))
    : Result.succeed(instant)
}
