/**
 * What a whole message says when it asks for no more campaigns. `cancel`, `end` and `quit` are not among them: in a
 * conversation they are about an order or a menu, and an agent reads them.
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

/** What it says when it takes that back. */
export const startWords: ReadonlyArray<string> = ["start", "unstop", "subscribe", "optin", "opt in", "शुरू", "शुरू करें"]

const longest = 40

/** Words without what people put around and between them: letter case, punctuation, emoji, spaces, dashes. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim()

const stops = new Set(stopWords.map(plain))
const starts = new Set(startWords.map(plain))

/**
 * Whether a message asks for no more campaigns, or for campaigns again. Only what says nothing else does: "please do not
 * stop" is for people to read.
 */
export const askedToStop = (text: string | null): "STOP" | "START" | null => {
  if (text === null || text.length > longest) return null
  const words = plain(text)
  return stops.has(words) ? "STOP" : starts.has(words) ? "START" : null
}
