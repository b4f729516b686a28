import type { EnvironmentKind } from "../../account/merchant/Merchant.ts"
import * as Code from "../../foundation/secret/Code.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import type { Verification } from "./Verification.ts"

/** Returns a verification's code, or null when its key was removed from the keyring. */
export const codeOf = (
  keyring: Keyring["Service"],
  kind: EnvironmentKind,
  verification: Verification
): string | null => {
  // Another system made it: see `relayedCode.ts`.
  if (verification.kind === "Relayed") return null
  if (kind === "test") return Code.inTest(verification.codeLength)
  const key = keyring.find(verification.keyId)
  return key === undefined ? null : Code.derive(key, verification.id, verification.codeLength)
}
