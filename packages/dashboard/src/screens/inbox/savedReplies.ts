export interface SavedReply {
  readonly id: string
  readonly name: string
  readonly text: string
}

/** What was typed after the slash with which a message begins; null where it begins with none, or goes on below. */
export const askedFor = (typed: string): string | null => /^\/([^\n]*)$/.exec(typed)?.[1] ?? null

/** Whether what was typed looks for a saved reply: it is no text to send until one is chosen. */
export const picksSavedReply = (kind: string, typed: string): boolean => kind === "reply" && askedFor(typed) !== null

const most = 8

/** Those that fit: the name's beginning first, then whatever has the words anywhere. */
export const fitting = (replies: ReadonlyArray<SavedReply>, asked: string): ReadonlyArray<SavedReply> => {
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
