const decode = (alphabet: RegExp, text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!alphabet.test(text) || text.replace(/=+$/, "").length % 4 === 1) return undefined
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** The bytes, or undefined for what is not base64: `atob` alone would forgive spaces. */
export const fromBase64 = (text: string) =>
  text.length % 4 === 0 ? decode(/^[A-Za-z0-9+/]+={0,2}$/, text) : decode(/^[A-Za-z0-9+/]+$/, text)

/** The bytes, or undefined for what is not base64url without padding. */
export const fromBase64Url = (text: string) => decode(/^[A-Za-z0-9_-]+$/, text)

/** The bytes, or undefined for what is not lower-case hex. */
export const fromHex = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  /^(?:[0-9a-f]{2})+$/.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : undefined
