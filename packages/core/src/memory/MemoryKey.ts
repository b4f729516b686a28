/** One text for several parts. Different parts never give the same text, whatever characters they hold. */
export const memoryKey = (...parts: ReadonlyArray<string>): string => {
  let key = ""
  for (const part of parts) key += `${part.length}:${part}`
  return key
}
