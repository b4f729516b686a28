/** More of a name than this is not searched for. */
const mostWords = 8
const longestWord = 32

/**
 * The words of a name, in the one form in which they are kept and searched: compatible spellings made equal, lower case,
 * split at whatever is no letter, mark or digit. Marks belong to their letters, or Hindi would fall to pieces.
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
