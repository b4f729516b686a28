import { Result } from "effect"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { days, fromIso, type Instant, minutes } from "../../foundation/time/Instant.ts"

export const invalid = (field: string, problem: string) => Result.fail(new InvalidField({ field, problem }))

/** How late an app may report an event, because it may have been offline. */
const oldest = days(30)
/** How far a device's clock may be ahead of the server's. */
const ahead = minutes(5)

/** A short text on one line without surrounding spaces; null when empty or omitted. */
export const checkWord = (
  field: string,
  given: string | null | undefined,
  longest: number
): Result.Result<string | null, InvalidField> => {
  const word = given?.trim() ?? ""
  if (word === "") return Result.succeed(null)
  return word.length <= longest && !/[\p{Cc}\p{Cs}]/u.test(word)
    ? Result.succeed(word)
    : invalid(field, `must be at most ${longest} characters on one line`)
}

/** The time of the event. A time in the future, from a clock that is ahead, becomes now. */
export const checkOccurredAt = (
  given: string | null | undefined,
  now: Instant
): Result.Result<Instant, InvalidField> => {
  if (given == null) return Result.succeed(now)
  const at = fromIso(given)
  if (at === null) return invalid("occurredAt", "must be a time in ISO 8601, such as 2026-01-31T09:30:00.000Z")
  if (at > now + ahead) return invalid("occurredAt", "must not be in the future")
  return at < now - oldest ? invalid("occurredAt", "must be at most 30 days ago") : Result.succeed(Math.min(at, now))
}
