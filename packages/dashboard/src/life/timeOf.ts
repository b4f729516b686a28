const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
const timeLength = 10

/** The creation time encoded in an identifier of the service. */
export const timeOf = (identifier: string): number => {
  const time = identifier.slice(identifier.indexOf("_") + 1).slice(0, timeLength)
  return Array.from(time).reduce((sum, letter) => sum * 32 + Math.max(0, alphabet.indexOf(letter)), 0)
}
