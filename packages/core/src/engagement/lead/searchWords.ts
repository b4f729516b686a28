/** Words beyond this many are not searched. */
const mostWords = 8
const longestWord = 32

/**
 * The words of a name in the form that is stored and searched: compatible spellings unified, lower case, split at all
 * characters except letters, marks and digits. Marks stay with their letters, because Hindi would fall apart otherwise.
 */
export const searchWords = (name: string): ReadonlyArray<string> =>
  [
    ...new Set(
      name
        .normalize("NFKC")
        .toLowerCase()
        .split(/[^\p{L}\p{M}\p{N}]+/u)
        .filter((word) => word !== "")
        .map((word) => word.slice(0, longestWord).toWellFormed())
    )
  ].slice(0, mostWords)
