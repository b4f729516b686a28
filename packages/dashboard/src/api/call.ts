import { signal } from "@preact/signals"
import { type Failure, failureOf, networkFailure } from "./Failure.ts"
import type { Answer, Get, Input, Name } from "./Api.ts"
import { takeEarly } from "./early.ts"
import { type Environment, headersOfPlace, type Place, urlOf } from "./place.ts"

export type Reply<N extends Name> =
  | { readonly ok: true; readonly body: Answer<N> }
  | { readonly ok: false; readonly failure: Failure }

/** Context of every call. Set by the session and the address; this module reads neither. */
export const context = {
  environment: (): Environment => "live",
  merchant: (): string | null => null,
  /** The operator token, used on operator screens only and kept only in memory. */
  adminToken: signal<string | null>(null),
  /**
   * Opens the sign-in dialog when the session is missing or too old. Resolves to true after a sign-in and to false
   * when the user cancels.
   */
  signIn: (_why: "none" | "stale"): Promise<boolean> => Promise.resolve(false),
  /** Called when the session belongs to another merchant than the page, because another tab switched. */
  elsewhere: (): void => {}
}

export const placeNow = (): Place => ({ environment: context.environment(), merchant: context.merchant() })

interface Anything {
  readonly params?: { readonly [name: string]: unknown }
  readonly query?: { readonly [name: string]: unknown }
  readonly body?: unknown
}

/** Endpoints used before sign-in. Their 401 is an answer, not an expired session. */
const isSignIn = (name: Name) =>
  (/\/dashboard\/(sessions\/|sign-in|sessions$)/.test(name) && name.startsWith("POST")) ||
  name === "DELETE /v1/dashboard/sessions/current"

/** Endpoints of the session itself. They apply to the session's current merchant. */
const isOfSession = (name: Name) => /\/dashboard\/(me$|sign-in$|sessions(\/|$))/.test(name)

export const headersOf = (name: Name, body: unknown, place: Place) => ({
  ...headersOfPlace(isOfSession(name) || name.includes(" /v1/admin/") ? { ...place, merchant: null } : place),
  ...(body === undefined ? {} : { "content-type": "application/json" }),
  ...(name.includes(" /v1/admin/") ? { authorization: `Bearer ${context.adminToken.peek() ?? ""}` } : {})
})

const attempt = (
  name: Name,
  input: Anything,
  more: Readonly<Record<string, string>>,
  signal: AbortSignal | null,
  place: Place
) => {
  const body = "body" in input ? (input.body ?? {}) : undefined
  const method = name.slice(0, name.indexOf(" "))
  const [url, headers] = [urlOf(name, input), { ...headersOf(name, body, place), ...more }]
  const early = method === "GET" ? takeEarly(url, headers) : undefined
  if (early !== undefined) return early
  return fetch(url, {
    method,
    credentials: "same-origin",
    headers,
    body: body === undefined ? null : JSON.stringify(body),
    signal
  })
}

/** Which sign-in would resolve an error response, if any. */
const remedy = (name: Name, response: Response): "none" | "stale" | null => {
  if (isSignIn(name) || name === "GET /v1/dashboard/me" || name.includes(" /v1/admin/")) return null
  if (response.status === 401) return "none"
  return response.status === 403 && response.headers.get("x-sign-in") === "fresh" ? "stale" : null
}

export const read = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return text === "" ? undefined : JSON.parse(text)
  } catch {
    return undefined // not the service's error envelope: `failureOf` handles it
  }
}

type Got<T> = { readonly ok: true; readonly body: T } | { readonly ok: false; readonly failure: Failure }

const isElsewhere = ({ errorCode, message }: Failure) =>
  errorCode === "INVALID_REQUEST" && message.startsWith("X-Merchant")

/**
 * Sends the request, and repeats it after a sign-in when that resolves the error. Other error responses become
 * failures.
 */
export const ask = async <T>(
  name: Name,
  input: Anything,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | null,
  place: Place,
  taken: (response: Response) => Promise<T>,
  send: typeof attempt = attempt
): Promise<Got<T>> => {
  for (;;) {
    try {
      const response = await send(name, input, headers, signal, place)
      if (response.ok) return { ok: true, body: await taken(response) }
      const body = await read(response)
      const why = remedy(name, response)
      if (why !== null && (await context.signIn(why))) continue
      const failure = await failureOf(response, body)
      if (isElsewhere(failure)) context.elsewhere()
      return { ok: false, failure }
    } catch {
      return { ok: false, failure: networkFailure() }
    }
  }
}

/**
 * Calls an endpoint of the contract. Never rejects: a network error is a failure too. When the session has ended or is
 * too old, it asks for a sign-in and repeats the call with the same Idempotency-Key. Where a user may press again
 * after a lost connection, pass a key of your own. The call keeps the merchant and environment of its start, whatever
 * the page shows by then.
 */
export const call = <N extends Name>(
  name: N,
  input: Input<N>,
  signal: AbortSignal | null = null,
  idempotencyKey: string = crypto.randomUUID(),
  place: Place = placeNow()
): Promise<Reply<N>> => {
  const key: Record<string, string> = name.startsWith("POST") ? { "idempotency-key": idempotencyKey } : {}
  return ask(name, input as Anything, key, signal, place, async (response) => (await read(response)) as Answer<N>)
}

/** A binary or text file with its suggested name. */
export interface LoadedFile {
  readonly blob: Blob
  readonly fileName: string | null
}

/** Downloads a file. A plain link cannot, because it sends no X-Environment header. */
export const file = <N extends Get>(name: N, input: Input<N>, accept = "*/*", signal: AbortSignal | null = null) =>
  ask(name, input as Anything, { accept }, signal, placeNow(), async (response): Promise<LoadedFile> => {
    const named = /filename="?([^";]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1]
    return { blob: await response.blob(), fileName: named ?? null }
  })

/** Saves a file as a browser download. */
export const keepFile = ({ blob, fileName }: LoadedFile, otherwise: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = fileName ?? otherwise
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
