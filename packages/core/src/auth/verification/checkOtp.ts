import { Result } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"

/** Trims what a person typed. Accepts any text that could be a code, so that it is compared and counted. */
export const checkOtp = (field: string, typed: string): Result.Result<string, InvalidField> =>
  typed.trim() === "" || typed.length > 64
    ? Result.fail(invalidField(field, Problem.of("LENGTH", { min: 1, max: 64 })))
    : Result.succeed(typed.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, ""))
