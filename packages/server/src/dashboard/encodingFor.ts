export type Encoding = "br" | "gzip" | "identity"

/** What a header gives a coding: its own weight, or that of `*`. Null where it says nothing of it. */
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

/** The coding to answer in, of what there is: the client's dearest, and of equal ones the smallest. */
export const encodingFor = (header: string | undefined, there: ReadonlyArray<"br" | "gzip">): Encoding => {
  const weights = weightsIn(header ?? "")
  let best: Encoding = "identity"
  let bestWeight = 0
  for (const coding of there) {
    const weight = weightOf(weights, coding) ?? 0
    if (weight > bestWeight) [best, bestWeight] = [coding, weight]
  }
  // Whoever names no coding takes what is not encoded, and so does whoever prefers it by name.
  return (weights.get("identity") ?? 0) > bestWeight ? "identity" : best
}
