const mostBytes = 15_000
const encoder = new TextEncoder()
const bytesOf = (text: string) => encoder.encode(JSON.stringify(text)).length

/** A message's text for an event, cut so that the event's body stays within the limits of receivers. */
export const eventText = (text: string | null): string | null => {
  if (text === null || text.length * 6 <= mostBytes || bytesOf(text) <= mostBytes) return text
  let end = Math.min(text.length, mostBytes)
  while (bytesOf(text.slice(0, end)) > mostBytes) end = Math.floor(end * 0.9)
  const last = text.charCodeAt(end - 1)
  // Do not end with half of a surrogate pair.
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? end - 1 : end)
}
