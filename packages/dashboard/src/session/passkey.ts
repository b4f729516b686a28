/** Whether this browser can hand passkeys over as JSON; older ones cannot, and are not asked. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential

type Json = { readonly [name: string]: unknown }
const answerOf = (credential: Credential | null): Json | null =>
  credential instanceof PublicKeyCredential ? (credential.toJSON() as unknown as Json) : null

/** What the browser answers to the service's options; null: the person would rather not, or has none. */
export const answerWithPasskey = async (options: Json): Promise<Json | null> => {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  return answerOf(await navigator.credentials.get({ publicKey }).catch(() => null))
}

/** A new one, kept by the browser or the phone. */
export const makePasskey = async (options: Json): Promise<Json | null> => {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  return answerOf(await navigator.credentials.create({ publicKey }).catch(() => null))
}
