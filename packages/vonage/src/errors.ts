import { type Because, Refused } from "@countersign/core/channel"
import { type Answered, field, json, type Outcome, unavailable } from "@countersign/provider-http"

const rows = (means: Because | "later", ...codes: ReadonlyArray<number>) =>
  codes.map((code): readonly [string, Because | "later"] => [String(code), means])

/** https://developer.vonage.com/api-errors/messages, by code. Any other error is about the account. */
const meanings: ReadonlyMap<string, Because | "later"> = new Map([
  ...rows("limit", 1000),
  ...rows("later", 1030, 1100),
  // Invalid, barred, unreachable or not permitted numbers.
  ...rows("recipient", 1040, 1050, 1170, 1180, 1190, 1200, 1210, 1230, 1240, 1250, 1260, 1270, 1280, 1290, 1300, 1430),
  ...rows("content", 1090, 1220)
])

/** The subject of an invalid parameter. */
const parameters: ReadonlyMap<string, Because> = new Map([
  ["to", "recipient"],
  ["text", "content"]
] as const)

/** The code at the end of a problem's URL, or in its title: `…/messages#1120`, `1120`. */
export const codeOf = (problem: unknown): string | null => {
  const type = field(problem, "type")
  const end = typeof type === "string" ? /#([A-Za-z0-9-]{1,40})$/.exec(type)?.[1] : undefined
  const title = String(field(problem, "title"))
  return end ?? (/^\d{3,5}$/.test(title) ? title : null)
}

/** The subject of a failed delivery, by the code of its report. */
export const aboutCode = (code: string | null): Because | undefined => {
  const means = meanings.get(code ?? "")
  return means === "later" ? undefined : means
}

/** The meaning of a refusal. Its text is dropped, because it repeats the number. */
export const refusal = (answer: Answered): Outcome | undefined => {
  if (answer.status < 400 || answer.status === 408 || answer.status === 429 || answer.status >= 500) return undefined
  const problem = json(answer)
  const code = codeOf(problem)
  const means = meanings.get(code ?? "")
  const providerCode = code ?? `http_${answer.status}`
  if (means === "later") return unavailable(providerCode, answer)
  if (means === "limit") return unavailable(providerCode, answer, means)
  const invalid = field(problem, "invalid_parameters")
  const names: ReadonlyArray<unknown> = Array.isArray(invalid) ? invalid.map((each) => field(each, "name")) : []
  const because = means ?? names.map((name) => parameters.get(String(name))).find((one) => one !== undefined)
  return new Refused({ providerCode, because: because ?? "account" })
}
