import { Result } from "effect"
import * as Identity from "../../foundation/identity/Identity.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { customerPhone } from "../../foundation/identity/customerPhone.ts"
import type { ErasedPerson } from "./Erasure.ts"

/** Whose things are looked for. */
export interface Wanted extends Omit<ErasedPerson, "counted" | "recent"> {
  /** Whose numbers ten digits alone are, as the merchant has it now. */
  readonly country: string | null
}

/**
 * The person that a merchant names, in whichever spelling. Customers also write from numbers that no code could be sent
 * to: they are people all the same.
 */
export const wanted = (
  identity: string,
  type: Identity.IdentityType | null,
  country: string | null
): Result.Result<Wanted, InvalidField> => {
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

/** Whether a text is one of the ways to write who it is. */
export const isSpellingOf = ({ canonical, country, spellings, type }: Wanted, text: string): boolean => {
  const identity = Identity.parse(type, text, country)
  return (Result.isSuccess(identity) && identity.success.canonical === canonical) || spellings.includes(text)
}
