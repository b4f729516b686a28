import type { Keyring } from "../../foundation/secret/Keyring.ts"
import * as LinkToken from "../../foundation/secret/LinkToken.ts"
import type { Verification } from "./Verification.ts"

/** Returns the token of a verification's link, or null when its key was removed from the keyring. */
export const linkOf = (keyring: Keyring["Service"], verification: Verification): string | null => {
  const key = keyring.find(verification.keyId)
  return key === undefined ? null : LinkToken.write(key, verification)
}
