import { Result } from "effect"
import * as Identity from "../../foundation/identity/Identity.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { customerPhone } from "../../foundation/identity/customerPhone.ts"
import type { ErasedPerson } from "./Erasure.ts"

/** The person to look for. */
export interface PersonQuery extends Omit<ErasedPerson, "counted" | "recent"> {
  /** The country of ten-digit numbers, as the merchant's settings have it now. */
  readonly country: string | null
}

/**
 * The person that a merchant names, in any spelling. Customers may write from numbers that cannot receive codes, so
 * those count too.
 */
export const personQuery = (
  identity: string,
  type: Identity.IdentityType | null,
  country: string | null
): Result.Result<PersonQuery, InvalidField> => {
  const kind = type ?? (identity.includes("@") ? "EMAIL" : "MOBILE")
  const parsed = Result.map(Identity.parse(kind, identity, country), ({ canonical }) => canonical)
  const canonical =
    Result.isFailure(parsed) && kind === "MOBILE"
      ? Result.match(customerPhone(identity, country), { onSuccess: Result.succeed, onFailure: () => parsed })
      : parsed
  return Result.map(canonical, (canonical) => ({
    type: kind,
    canonical,
    contacts: [],
    leads: [],
    spellings: [],
    country
  }))
}

/** Whether a text is one of the spellings of the person's identity. */
export const isSpellingOf = ({ canonical, country, spellings, type }: PersonQuery, text: string): boolean => {
  const identity = Identity.parse(type, text, country)
  return (Result.isSuccess(identity) && identity.success.canonical === canonical) || spellings.includes(text)
}
