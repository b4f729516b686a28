export type Encoding = "br" | "gzip" | "identity"

/** The weight of a coding in the header, or that of `*`. Null when the header names neither. */
const weightOf = (weights: ReadonlyMap<string, number>, coding: string): number | null =>
  weights.get(coding) ?? weights.get("*") ?? null

const weightsIn = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(",").map((part) => {
      const [coding = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
      const q = parameters.find((parameter) => parameter.startsWith("q="))
      const weight = q === undefined ? 1 : Number(q.slice(2))
      return [coding, Number.isNaN(weight) ? 0 : weight] as const
    })
  )

/** The available coding that the client prefers. Of equal ones the first, which compresses best. */
export const encodingFor = (header: string | undefined, there: ReadonlyArray<"br" | "gzip">): Encoding => {
  const weights = weightsIn(header ?? "")
  let best: Encoding = "identity"
  let bestWeight = 0
  for (const coding of there) {
    const weight = weightOf(weights, coding) ?? 0
    if (weight > bestWeight) [best, bestWeight] = [coding, weight]
  }
  // Without a header, or when the client prefers identity by name, the answer is not encoded.
  return (weights.get("identity") ?? 0) > bestWeight ? "identity" : best
}
