import type { ErrorCode, FieldProblem } from "@countersign/http"
import { language } from "../words/language.ts"
import { say } from "../words/say.ts"

/** Why a call failed. `NETWORK` means no response; `status` is then 0. */
export interface Failure {
  readonly status: number
  readonly errorCode: ErrorCode | "NETWORK"
  /** Shown to the user. For an invalid field it starts with the field's name. */
  readonly message: string
  readonly requestId: string | null
  /** Seconds until a retry is allowed, when the service says so. */
  readonly retryAfter: number | null
}

interface Envelope extends Pick<Failure, "message" | "requestId"> {
  readonly errorCode: ErrorCode
}

const isEnvelope = (body: unknown): body is Envelope =>
  typeof body === "object" && body !== null && "errorCode" in body && "message" in body

export const networkFailure = (): Failure => ({
  status: 0,
  errorCode: "NETWORK",
  message: say.failures.network,
  requestId: null,
  retryAfter: null
})

/**
 * The message in the reader's language, when the service gives the problem's code. The words are loaded only when they
 * are needed. Otherwise the service's English sentence stays.
 */
const worded = async ({ errorCode, message }: Envelope, header: string | null): Promise<string> => {
  if (header === null || language === "en") return message
  let problem: FieldProblem
  try {
    problem = JSON.parse(decodeURIComponent(header)) as FieldProblem
  } catch {
    return message // a proxy cut the header
  }
  const words = await import("../words/problemWords.ts").catch(() => null)
  const sentence = words?.sentenceOf(problem) ?? null
  if (sentence === null) return message
  // Forms find their field by its name. Other refusals are about no field of a form.
  return errorCode === "INVALID_REQUEST" ? `${problem.field}: ${sentence}` : sentence
}

/** The failure of an error response. A body that is not the service's error envelope comes from a proxy. */
export const failureOf = async (response: Response, body: unknown): Promise<Failure> => {
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN)
  return {
    status: response.status,
    errorCode: isEnvelope(body) ? body.errorCode : "INTERNAL_ERROR",
    message: isEnvelope(body)
      ? await worded(body, response.headers.get("x-problem"))
      : say.failures.unknown(response.status),
    requestId: response.headers.get("x-request-id"),
    retryAfter: Number.isFinite(wait) ? wait : null
  }
}

/** The first field that the message names, if the form has that field. */
export const fieldOf = (failure: Failure, fields: ReadonlyArray<string>): string | null => {
  if (failure.errorCode !== "INVALID_REQUEST") return null
  const named = /^[\w.]+/.exec(failure.message)?.[0] ?? ""
  return fields.find((field) => named === field || named.startsWith(`${field}.`)) ?? null
}

/** The message without the field's name, because the form shows it below the field's label. */
export const problemOf = ({ message }: Failure, field: string): string =>
  message.slice(field.length).replace(/^[\s:.]+/, "")
