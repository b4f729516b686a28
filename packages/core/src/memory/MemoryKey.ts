/** Joins several parts into one key. Different parts never give the same key, even with arbitrary characters. */
export const memoryKey = (...parts: ReadonlyArray<string>): string => {
  let key = ""
  for (const part of parts) key += `${part.length}:${part}`
  return key
}
