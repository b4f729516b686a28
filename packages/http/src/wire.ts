import * as admin from "./admin/errors.ts"
import * as auth from "./auth/errors.ts"
import * as billing from "./billing/errors.ts"
import * as campaigns from "./campaigns/errors.ts"
import { type ErrorCode, type FieldProblem, statusOf } from "./contract/ErrorEnvelope.ts"
import * as dashboard from "./dashboard/errors.ts"
import * as erasure from "./erasure/errors.ts"
import * as example from "./example/errors.ts"
import type { FailureOf, Wire } from "./ErrorTable.ts"
import * as common from "./errors.ts"
import * as hooks from "./hooks/errors.ts"
import * as inbox from "./inbox/errors.ts"
import * as keys from "./keys/errors.ts"
import * as leads from "./leads/errors.ts"
import * as numbers from "./numbers/errors.ts"
import * as optOuts from "./optOuts/errors.ts"
import * as passkeys from "./passkeys/errors.ts"
import * as sdk from "./sdk/errors.ts"
import * as sessions from "./sessions/errors.ts"
import * as system from "./system/errors.ts"
import * as templates from "./templates/errors.ts"
import * as verifications from "./verifications/errors.ts"
import * as webhooks from "./webhooks/errors.ts"
import { json, type TextResponse } from "./WireResponse.ts"

const tables = [
  common,
  auth,
  sdk,
  keys,
  billing,
  dashboard,
  templates,
  campaigns,
  webhooks,
  hooks,
  leads,
  inbox,
  numbers,
  optOuts,
  erasure,
  example,
  admin,
  sessions,
  passkeys,
  verifications,
  system
] as const

/** All failures of requests. */
export type Failure = FailureOf<(typeof tables)[number]["errors"]>

/** Collects the rows of all tables. Throws if two tables have the same failure. */
const gather = (each: ReadonlyArray<{ readonly errors: object }>): ReadonlyMap<string, (failure: Failure) => Wire> => {
  const rows = new Map<string, (failure: Failure) => Wire>()
  for (const { errors } of each) {
    for (const [tag, row] of Object.entries(errors)) {
      if (rows.has(tag)) throw new Error(`${tag} has a row in two error tables`)
      rows.set(tag, row)
    }
  }
  return rows
}

const rows = gather(tables)

const wireOf = (failure: Failure): Wire => rows.get(failure._tag)!(failure)

/** Proxies limit the headers of a response. Without this one, a page shows the English sentence. */
const longestProblem = 2_000

/** The header beside the envelope that says what is wrong with a field: URI-encoded JSON. */
const problemHeader = (problem: FieldProblem | null): { readonly "x-problem"?: string } => {
  if (problem === null) return {}
  const text = encodeURIComponent(JSON.stringify(problem).toWellFormed())
  return text.length > longestProblem ? {} : { "x-problem": text }
}

const answer = ({
  challenge,
  errorCode,
  headers,
  message,
  problem,
  requestId = null,
  status = statusOf[errorCode]
}: Wire): TextResponse =>
  json(
    status,
    { errorCode, message, requestId, ...(challenge === undefined ? {} : { challenge }) },
    { ...headers, ...problemHeader(problem ?? null) }
  )

/** The envelope of a failure. */
export const toResponse = (failure: Failure): TextResponse => answer(wireOf(failure))

/** A refusal, ours or a provider's (502, 503), comes before anything is changed. */
export const mayHaveChanged = ({ status }: Pick<TextResponse, "status">): boolean => status < 400 || status === 500

/** A failure for callers in the same process. */
export class CountersignError extends Error {
  override readonly name = "CountersignError"
  readonly errorCode: ErrorCode
  /** The HTTP status of the code. Retry on 429 and 500. */
  readonly status: number
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  /**
   * What is wrong with a field, as a code; null when the problem has none. A number that the settings or the guard
   * refuse has one too: `GUARD_REFUSED` and `GUARD_DELAYED` name the guard's reason in `params.reason`.
   */
  readonly problem: FieldProblem | null

  constructor(failure: Failure) {
    const { errorCode, headers, message, problem, requestId, status } = wireOf(failure)
    super(message)
    this.errorCode = errorCode
    this.status = status ?? statusOf[errorCode]
    this.requestId = requestId ?? null
    this.problem = problem ?? null
    this.retryAfterSeconds = headers?.["retry-after"] === undefined ? null : Number(headers["retry-after"])
  }

  /** The answer of the HTTP API, for use in your own routes. */
  toResponse(): Response {
    const { errorCode, message, problem, requestId, retryAfterSeconds, status } = this
    const retryAfter = retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) }
    return Response.json(
      { errorCode, message, requestId },
      { status, headers: { ...retryAfter, ...problemHeader(problem) } }
    )
  }
}

/** The envelope of a defect, without internals. */
export const defect: TextResponse = answer({
  errorCode: "INTERNAL_ERROR",
  message: "Internal error; try again"
})
