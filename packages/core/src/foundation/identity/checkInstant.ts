import { Result } from "effect"
import { fromIso, type Instant } from "../time/Instant.ts"
import { type InvalidField, invalidField } from "./InvalidField.ts"
import * as Problem from "./Problem.ts"

/** Parses a time in a query; undefined when it is absent. */
export const checkInstant = (
  field: string,
  text: string | undefined
): Result.Result<Instant | undefined, InvalidField> => {
  const instant = text === undefined ? undefined : fromIso(text)
  return instant === null || (instant !== undefined && (instant < 0 || instant > 2 ** 48))
    ? Result.fail(invalidField(field, Problem.of("TIME")))
    : Result.succeed(instant)
}
