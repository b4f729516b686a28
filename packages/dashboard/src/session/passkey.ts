/** Whether the browser supports passkeys as JSON. Older browsers are not offered them. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential

type Json = { readonly [name: string]: unknown }
const answerOf = (credential: Credential | null): Json | null =>
  credential instanceof PublicKeyCredential ? (credential.toJSON() as unknown as Json) : null

/** The browser's assertion for the service's options. Null when the user cancels or has no passkey. */
export const answerWithPasskey = async (options: Json): Promise<Json | null> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  return answerOf(await navigator.credentials.get({ publicKey }).catch(() => null))
}

/** Creates a passkey in the browser or on the phone. */
export const makePasskey = async (options: Json): Promise<Json | null> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  return answerOf(await navigator.credentials.create({ publicKey }).catch(() => null))
}
