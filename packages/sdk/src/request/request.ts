import type { Challenge } from "../Challenge.ts"
import { CountersignError, type FieldProblem } from "../CountersignError.ts"
import type { ErrorCode } from "../ErrorCode.ts"
import { checkAborted } from "./abortable.ts"
import { after } from "./after.ts"
import { pause } from "./pause.ts"

/** The connection to the service. */
export interface Connection {
  /** The service's URL: `https://verify.example.com`, with a path if it is mounted under one. */
  readonly baseUrl: string
  /** Default: the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined
  /** How long each attempt may take. Default 10 seconds. */
  readonly timeoutMs?: number | undefined
  /** How many times a call is retried when the service is busy or unreachable. Default 2. */
  readonly retries?: number | undefined
}

export interface Call<A> {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON. The default method is POST with a body and GET without. */
  readonly body?: string
  readonly method?: string
  readonly signal?: AbortSignal | undefined
  /** The answer is a file, returned as a `Response` once its headers have arrived. */
  readonly isFile?: boolean
  /** Whether `null` is a valid answer. */
  readonly mayBeNull?: boolean
  /** Whether the answer has the expected shape. */
  readonly accepts: (answer: Readonly<Record<string, unknown>>) => answer is Readonly<Record<string, unknown>> & A
}

const longestWait = 5_000

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isEnvelope = (
  answer: Readonly<Record<string, unknown>>
): answer is { readonly errorCode: ErrorCode; readonly message: string } =>
  typeof answer["errorCode"] === "string" && typeof answer["message"] === "string"

const isProblem = (problem: unknown): problem is FieldProblem =>
  isObject(problem) &&
  typeof problem["field"] === "string" &&
  typeof problem["code"] === "string" &&
  isObject(problem["params"])

const isChallenge = (challenge: unknown): challenge is Challenge =>
  isObject(challenge) && typeof challenge["token"] === "string" && Number(challenge["difficulty"]) > 0

/** The header `X-Problem`: URI-encoded JSON. */
const problemIn = (header: string | null): FieldProblem | null => {
  if (header === null) return null
  try {
    const problem: unknown = JSON.parse(decodeURIComponent(header))
    return isProblem(problem) ? problem : null
  } catch {
    return null
  }
}

const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** `Retry-After` as seconds: it is a number or a date. */
const secondsOf = (header: string | null): number | null => {
  if (header === null) return null
  const seconds = /^\d+$/.test(header) ? Number(header) : Math.ceil((Date.parse(header) - Date.now()) / 1000)
  return seconds >= 0 ? seconds : null
}

export const root = (baseUrl: string) => baseUrl.replace(/\/+$/, "")

const send = async <A>(connection: Connection, call: Call<A>, signal: AbortSignal): Promise<A> => {
  const url = root(connection.baseUrl) + call.path
  const { body, method = body === undefined ? "GET" : "POST" } = call
  let response: Response
  let text: string
  try {
    const platformFetch = connection.fetch ?? fetch
    response = await platformFetch(url, {
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...call.headers },
      redirect: "manual", // send credentials only to baseUrl, never to a redirect's target
      signal,
      method,
      ...(body === undefined ? {} : { body })
    })
    if (response.ok && call.isFile === true) return response as unknown as A
    text = await response.text()
  } catch (cause) {
    throw new CountersignError("NETWORK_ERROR", "Cannot connect to Countersign: check the network and baseUrl", {
      cause
    })
  }
  const answer = parse(text)
  if (response.ok && call.mayBeNull === true && text.trim() === "null") return null as A
  if (response.ok && call.accepts(answer)) return answer
  const { headers, status } = response
  const details = { status, retryAfterSeconds: secondsOf(headers.get("retry-after")) }
  if (response.ok || !isEnvelope(answer))
    throw new CountersignError(
      "NETWORK_ERROR",
      `The answer with status ${status} does not come from Countersign: check baseUrl and any proxy in between`,
      details
    )
  const { errorCode, message } = answer
  const { challenge, requestId } = answer as Readonly<Record<string, unknown>>
  throw new CountersignError(errorCode, message, {
    ...details,
    requestId: typeof requestId === "string" ? requestId : null,
    challenge: isChallenge(challenge) ? challenge : null,
    problem: problemIn(headers.get("x-problem"))
  })
}

/** One attempt with a timeout, which also works when `fetch` ignores signals. */
const attempt = <A>(connection: Connection, call: Call<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    const controller = new AbortController()
    const stop = (error?: CountersignError) => {
      tidy()
      reject(error)
      controller.abort()
    }
    const abort = () => stop()
    const cancel = after(connection.timeoutMs ?? 10_000, () =>
      stop(new CountersignError("TIMEOUT", "Countersign did not answer in time: check the network and try again"))
    )
    const tidy = () => {
      cancel()
      // A file is still being read, and aborting the signal must stop that too.
      if (call.isFile !== true) call.signal?.removeEventListener("abort", abort)
    }
    call.signal?.addEventListener("abort", abort)
    send(connection, call, controller.signal).then(resolve, reject).then(tidy, tidy)
  })

/** Whether a retry may succeed. */
const isTransient = ({ status }: CountersignError) =>
  status === null || status === 429 || status === 500 || status === 502

/**
 * Sends a request, and retries it with the same headers and body when the service is busy or unreachable. Does not wait
 * longer than a few seconds, because the user should see the error then.
 */
export const request = async <A>(connection: Connection, call: Call<A>): Promise<A> => {
  for (let retry = 0; ; retry++) {
    checkAborted(call.signal)
    try {
      return await attempt(connection, call)
    } catch (error) {
      checkAborted(call.signal)
      // A retried DELETE may find that an earlier attempt has already deleted the object.
      if (retry > 0 && call.method === "DELETE" && error instanceof CountersignError && error.status === 404)
        return {} as A
      if (!(error instanceof CountersignError) || !isTransient(error) || retry >= (connection.retries ?? 2)) throw error
      const wished = (error.retryAfterSeconds ?? 0) * 1000
      if (wished > longestWait) throw error
      const backoff = Math.min(longestWait, 400 * 2 ** retry) * (0.5 + Math.random())
      await pause(wished + backoff, call.signal)
    }
  }
}
