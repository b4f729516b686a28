export interface SavedReply {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** The search after a leading slash. Null when the message has no leading slash, or more than one line. */
export const askedFor = (typed: string): string | null => /^\/([^\n]*)$/.exec(typed)?.[1] ?? null

/** Whether the input is a search for a saved reply, which must not be sent as text. Line breaks at its end are not sent. */
export const picksSavedReply = (kind: string, typed: string): boolean =>
  kind === "reply" && askedFor(typed.trimEnd()) !== null

const most = 8

/** Matching replies: first those whose name starts with the search, then other matches. */
export const matchingReplies = (replies: ReadonlyArray<SavedReply>, asked: string): ReadonlyArray<SavedReply> => {
  const words = asked.trim().toLowerCase()
  const rank = ({ name, text }: SavedReply) =>
    name.toLowerCase().startsWith(words)
      ? 0
      : name.toLowerCase().includes(words)
        ? 1
        : text.toLowerCase().includes(words)
          ? 2
          : 3
  return replies
    .map((reply) => ({ reply, rank: rank(reply) }))
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ reply }) => reply)
}

const place = String.raw`\{\{\s*name\s*\}\}`

/** Whether a text has a place for the customer's name. */
export const hasName = (text: string): boolean => new RegExp(place, "i").test(text)

/** Removes the name with the comma or spaces that led to it. A line that began with it starts with a capital letter. */
const withoutName = (text: string): string =>
  text
    .replace(new RegExp(`^[ \\t]*${place}[ \\t]*[,:;]?[ \\t]*(\\p{L}?)`, "gimu"), (_, first: string) =>
      first.toUpperCase()
    )
    .replace(new RegExp(`,?[ \\t]*${place}`, "gi"), "")

/** A name in one line. Customers choose their names, so line breaks and characters that reverse text are removed. */
const lineOf = (name: string | null): string => (name ?? "").replace(/[\p{C}\p{Z}]+/gu, " ").trim()

/** The text with the customer's name in place of `{{name}}`. A customer without a name is addressed without one. */
export const filledReply = (text: string, name: string | null): string => {
  const line = lineOf(name)
  return line === "" ? withoutName(text) : text.replace(new RegExp(place, "gi"), () => line)
}
