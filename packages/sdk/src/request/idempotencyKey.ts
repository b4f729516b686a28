/**
 * A UUID. `crypto.randomUUID` exists only on secure pages, and React Native may have no `crypto` at all. The fallback
 * combines the time with random digits.
 */
export const idempotencyKey = (): string => {
  const source: Partial<Crypto> | undefined = globalThis.crypto
  const bytes = new Uint8Array(16)
  if (source?.getRandomValues) globalThis.crypto.getRandomValues(bytes)
  else bytes.forEach((_, i) => (bytes[i] = i < 6 ? Date.now() / 2 ** (40 - 8 * i) : Math.random() * 256))
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-a$4-$5")
}
