const decode = (alphabet: RegExp, text: string): Uint8Array<ArrayBuffer> | undefined => {
  if (!alphabet.test(text) || text.replace(/=+$/, "").length % 4 === 1) return undefined
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"))
  return Uint8Array.from(binary, (character) => character.charCodeAt(0))
}

/** Decodes base64. Undefined for anything else, including spaces, which `atob` would accept. */
export const fromBase64 = (text: string) =>
  text.length % 4 === 0 ? decode(/^[A-Za-z0-9+/]+={0,2}$/, text) : decode(/^[A-Za-z0-9+/]+$/, text)

/** Decodes base64url without padding. Undefined for anything else. */
export const fromBase64Url = (text: string) => decode(/^[A-Za-z0-9_-]+$/, text)

/** Decodes lower-case hex. Undefined for anything else. */
export const fromHex = (text: string): Uint8Array<ArrayBuffer> | undefined =>
  /^(?:[0-9a-f]{2})+$/.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
    : undefined
