import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"

/** What is derived from better-auth's secret for one purpose and one identity. Different parts never share a value. */
const derive = (secret: string, ...parts: ReadonlyArray<string>): string =>
  createHmac("sha256", secret)
    .update(JSON.stringify(["countersign", ...parts]))
    .digest("base64url")

/** The reference of a verification. It contains no identity, and an app with another secret has other references. */
export const orderIdOf = (secret: string, purpose: string, identity: string): string =>
  derive(secret, "order", purpose, identity)

/**
 * What better-auth stores instead of a code. Nobody receives it: a request gets it only after Countersign has accepted
 * the code that the user typed.
 */
export const standInOf = (secret: string, type: string, email: string): string =>
  derive(secret, "stand-in", type, email)

/** The PKCE verifier of a link, from the link's token. */
export const codeVerifierOf = (secret: string, token: string): string => derive(secret, "verifier", token)

const keyOf = (secret: string) => new Uint8Array(hkdfSync("sha256", secret, "", "countersign link", 32))

/** Encrypts what a link has to remember, as base64url. */
export const seal = (secret: string, value: unknown): string => {
  const iv = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret), iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString("base64url")
}

/** Reads a sealed value; undefined if it was changed or sealed with another secret. */
export const open = (secret: string, sealed: string): unknown => {
  const bytes = Buffer.from(sealed, "base64url")
  if (bytes.length < 29) return undefined
  try {
    const decipher = createDecipheriv("aes-256-gcm", keyOf(secret), bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAuthTag(bytes.subarray(12, 28))
    return JSON.parse(decipher.update(bytes.subarray(28), undefined, "utf8") + decipher.final("utf8"))
  } catch {
    return undefined
  }
}
