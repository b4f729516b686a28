const mostBytes = 15_000
const encoder = new TextEncoder()
const bytesOf = (text: string) => encoder.encode(JSON.stringify(text)).length

/** The words of a message as an event carries them: cut where they would make its body larger than receivers take. */
export const eventText = (text: string | null): string | null => {
  if (text === null || text.length * 6 <= mostBytes || bytesOf(text) <= mostBytes) return text
  let end = Math.min(text.length, mostBytes)
  while (bytesOf(text.slice(0, end)) > mostBytes) end = Math.floor(end * 0.9)
  const last = text.charCodeAt(end - 1)
  // Half of a pair says nothing.
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end)
}
