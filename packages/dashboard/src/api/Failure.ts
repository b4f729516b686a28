import type { ErrorCode } from "@countersign/http"
import { say } from "../words/say.ts"

/** Why a call has no answer. `NETWORK`: there was none at all, and `status` is 0. */
export interface Failure {
  readonly status: number
  readonly errorCode: ErrorCode | "NETWORK"
  /** For a person; where a field is wrong it begins with the field's name. */
  readonly message: string
  readonly requestId: string | null
  /** In seconds, where the service says when to come again. */
  readonly retryAfter: number | null
}

const isEnvelope = (
  body: unknown
): body is Pick<Failure, "message" | "requestId"> & { readonly errorCode: ErrorCode } =>
  typeof body === "object" && body !== null && "errorCode" in body && "message" in body

export const networkFailure = (): Failure => ({
  status: 0,
  errorCode: "NETWORK",
  message: say.failures.network,
  requestId: null,
  retryAfter: null
})

/** What a refusal says of itself; what is no envelope of ours comes from something in between. */
export const failureOf = (response: Response, body: unknown): Failure => {
  const wait = Number(response.headers.get("retry-after") ?? Number.NaN)
  return {
    status: response.status,
    errorCode: isEnvelope(body) ? body.errorCode : "INTERNAL_ERROR",
    message: isEnvelope(body) ? body.message : say.failures.unknown(response.status),
    requestId: response.headers.get("x-request-id"),
    retryAfter: Number.isFinite(wait) ? wait : null
  }
}

/** The field that a refusal names first, if it is one of those: where a form shows it. */
export const fieldOf = (failure: Failure, fields: ReadonlyArray<string>): string | null => {
  if (failure.errorCode !== "INVALID_REQUEST") return null
  const named = /^[\w.]+/.exec(failure.message)?.[0] ?? ""
  return fields.find((field) => named === field || named.startsWith(`${field}.`)) ?? null
}

/** What is wrong with a field, without its name: the form shows it below the field's label. */
export const problemOf = ({ message }: Failure, field: string): string =>
  message.slice(field.length).replace(/^[\s:.]+/, "")
