import type {
  PasskeyNeeded,
  PasskeysAbsent,
  ProviderAbsent,
  ProviderAway,
  UnknownBinding,
  UnknownPasskey
} from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of passkeys and of identity providers. */
export const errors = defineErrors({
  PasskeysAbsent: (_: PasskeysAbsent) => ({
    errorCode: "NOT_FOUND",
    message: "Passkeys are not enabled on this service: set PUBLIC_URL, or the options dashboard.passkeys and baseUrl"
  }),
  UnknownPasskey: (_: UnknownPasskey) => ({
    errorCode: "NOT_FOUND",
    message: "This agent has no passkey with this id"
  }),
  UnknownBinding: (_: UnknownBinding) => ({
    errorCode: "NOT_FOUND",
    message: "This agent has no identity provider binding"
  }),
  PasskeyNeeded: (_: PasskeyNeeded) => ({
    errorCode: "FORBIDDEN",
    message: "This account requires passkeys: sign in with one of yours to change them"
  }),
  ProviderAbsent: (_: ProviderAbsent) => ({
    errorCode: "NOT_FOUND",
    message: "No identity provider is configured; set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET"
  }),
  ProviderAway: (_: ProviderAway) => ({
    errorCode: "PROVIDER_ERROR",
    message: "The identity provider is unreachable; try again, or sign in by e-mail"
  })
})
