import { Result } from "effect"
import * as Identity from "../../foundation/identity/Identity.ts"
import { InvalidField } from "../../foundation/identity/InvalidField.ts"

/** The person that a filter names: by identity in any spelling, or by reference. */
export interface NamedPerson {
  readonly identity?: string | undefined
  readonly person?: string | undefined
}

const invalid = (problem: string) => Result.fail(new InvalidField({ field: "person", problem }))

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
  if (identity !== undefined) return invalid("cannot be combined with identity")
  const canonical = openPerson(person)
  return canonical === null
    ? invalid("must be the `person` of a verification, a refusal or a lead of this environment")
    : Result.succeed(canonical)
}
