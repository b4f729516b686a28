import { Schema } from "effect"
import type { Problem, ProblemCode, Worded } from "./Problem.ts"

/**
 * An invalid value from the caller. `field` is its name on the wire; `problem` says what to change. Problems that a
 * person can cause in the dashboard also have a code: see `Problem`.
 */
export class InvalidField extends Schema.TaggedError<InvalidField>()("InvalidField", {
  field: Schema.String,
  problem: Schema.String,
  code: Schema.optionalKey(Schema.declare((code): code is ProblemCode => typeof code === "string")),
  params: Schema.optionalKey(Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])))
}) {}

export const invalidField = (field: string, problem: Problem): InvalidField => new InvalidField({ field, ...problem })

/** The problem without its field. */
export const problemIn = ({ code, params, problem }: InvalidField): Worded => ({
  code: code ?? null,
  params: params ?? {},
  problem
})

/** The same problem in another field. */
export const inField =
  (field: string) =>
  ({ code, params, problem }: InvalidField): InvalidField =>
    new InvalidField({ field, problem, ...(code === undefined ? {} : { code, params: params ?? {} }) })
