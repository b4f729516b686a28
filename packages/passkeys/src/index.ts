/** Passkeys (WebAuthn) for those who sign in to Countersign. */
export * as Passkeys from "./Passkeys.ts"
