import { Result } from "effect"
import * as Identity from "../../foundation/identity/Identity.ts"
import { InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"

/** The person that a filter names: by identity in any spelling, or by reference. */
export interface NamedPerson {
  readonly identity?: string | undefined
  readonly person?: string | undefined
}

const invalid = (problem: Problem.Problem) => Result.fail(invalidField("person", problem))

/** The canonical identity that a filter names, or null. `openPerson` returns the identity of a reference, or null. */
export const checkPerson = (
  { identity, person }: NamedPerson,
  defaultCountry: string | null,
  openPerson: (reference: string) => string | null
): Result.Result<string | null, InvalidField> => {
  if (person === undefined) {
    return identity === undefined
      ? Result.succeed(null)
      : Result.map(Identity.parse(Identity.typeOf(identity), identity, defaultCountry), ({ canonical }) => canonical)
  }
  if (identity !== undefined)
    return Result.fail(new InvalidField({ field: "person", problem: "cannot be combined with identity" }))
  const canonical = openPerson(person)
  return canonical === null ? invalid(Problem.of("PERSON")) : Result.succeed(canonical)
}
