/** The seconds that a `Retry-After` header asks for, if it can be read: a number, or a date in the form HTTP wants. */
export const retryAfter = (header: string | undefined, now: number): number | null => {
  const text = header?.trim() ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text)
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}
