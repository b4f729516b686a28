/**
 * Messages that opt out of campaigns. `cancel`, `end` and `quit` are not among them: in a conversation they usually
 * concern an order or a menu, so an agent should read them.
 */
export const stopWords: ReadonlyArray<string> = [
  "stop",
  "stopall",
  "stop all",
  "stop promotions",
  "stop messages",
  "unsubscribe",
  "optout",
  "opt out",
  "रोकें",
  "रोको",
  "बंद",
  "बंद करें",
  "बंद करो"
]

/** Messages that opt in again. */
export const startWords: ReadonlyArray<string> = ["start", "unstop", "subscribe", "optin", "opt in", "शुरू", "शुरू करें"]

const longest = 40

/** Normalizes a message: drops letter case, punctuation, emoji, spaces and dashes around and between words. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()

const stops = new Set(stopWords.map(plain))
const starts = new Set(startWords.map(plain))

/**
 * Whether a message opts out of campaigns or in again. It must contain nothing else: an agent should read "please do
 * not stop".
 */
export const askedToStop = (text: string | null): "STOP" | "START" | null => {
  if (text === null || text.length > longest) return null
  const words = plain(text)
  return stops.has(words) ? "STOP" : starts.has(words) ? "START" : null
}
