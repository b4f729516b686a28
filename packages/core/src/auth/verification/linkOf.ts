import type { Keyring } from "../../foundation/secret/Keyring.ts"
import * as LinkToken from "../../foundation/secret/LinkToken.ts"
import type { Verification } from "./Verification.ts"

/** The token of a verification's link, or null when the key that makes it has been taken off the ring. */
export const linkOf = (keyring: Keyring["Service"], verification: Verification): string | null => {
  const key = keyring.find(verification.keyId)
  return key === undefined ? null : LinkToken.write(key, verification)
}
