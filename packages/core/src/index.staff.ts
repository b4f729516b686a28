/** For authors of sign-in adapters: passkeys and identity providers. */
export { type ProviderCheck, ProviderCheckFailed } from "./foundation/delivery/ProviderCheck.ts"
export {
  type Errand,
  type IdentityProvider,
  type ProvidedIdentity,
  ProviderAway,
  ProviderRefused
} from "./auth/staff/IdentityProvider.ts"
export type { PasskeyJson, PasskeyKey, PasskeyVerifier, RelyingParty } from "./auth/staff/PasskeyVerifier.ts"
