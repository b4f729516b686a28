import { Result } from "effect"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"

/** Trims what a person typed. Accepts any text that could be a code, so that it is compared and counted. */
export const checkOtp = (field: string, typed: string): Result.Result<string, InvalidField> =>
  typed.trim() === "" || typed.length > 64
    ? Result.fail(new InvalidField({ field, problem: "must be 1 to 64 characters" }))
    : Result.succeed(typed.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""))
