type Answer = Readonly<Record<string, unknown>>

const kinds: Readonly<Record<string, (value: unknown) => boolean>> = {
  s: (value) => typeof value === "string",
  n: (value) => typeof value === "number",
  b: (value) => typeof value === "boolean",
  t: (value) => value === true,
  f: (value) => value === false,
  a: Array.isArray
}

/** Whether an answer has the shape that `Endpoint` describes. An incomplete answer is never returned. */
export const isAnswer = (expected: string) => {
  const alternatives = expected.split(" | ").map((fields) => fields.split(" ").map((field) => field.split(":")))
  return (answer: Answer): answer is Answer => {
    if (expected === "nothing") return true
    if (expected === "[]") return Array.isArray(answer)
    return alternatives.some((fields) =>
      fields.every(([name = "", kind]) => name === "" || (kind !== undefined && kinds[kind]?.(answer[name]) === true))
    )
  }
}
