/** Passkeys (WebAuthn) for the sign-in to Countersign. */
export * as Passkeys from "./Passkeys.ts"
