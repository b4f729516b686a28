import type {
  PasskeyNeeded,
  PasskeysAbsent,
  ProviderAbsent,
  ProviderAway,
  UnknownBinding,
  UnknownPasskey
} from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How passkeys fail, on the wire, and signing in with a provider. */
export const errors = defineErrors({
  PasskeysAbsent: (_: PasskeysAbsent) => ({
    errorCode: "NOT_FOUND",
    message: "This service takes no passkeys: it was made without them, or does not know its public URL"
  }),
  UnknownPasskey: (_: UnknownPasskey) => ({
    errorCode: "NOT_FOUND",
    message: "No passkey with this id signs this agent in"
  }),
  UnknownBinding: (_: UnknownBinding) => ({ errorCode: "NOT_FOUND", message: "No provider signs this agent in" }),
  PasskeyNeeded: (_: PasskeyNeeded) => ({
    errorCode: "FORBIDDEN",
    message: "Passkeys are the rule here: sign in with one of yours to change them"
  }),
  ProviderAbsent: (_: ProviderAbsent) => ({
    errorCode: "NOT_FOUND",
    message: "This service knows no provider to sign in with; set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET"
  }),
  ProviderAway: (_: ProviderAway) => ({
    errorCode: "PROVIDER_ERROR",
    message: "The provider to sign in with cannot be reached; try again"
  })
})
