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
