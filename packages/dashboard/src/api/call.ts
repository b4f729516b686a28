import { signal } from "@preact/signals"
import { type Failure, failureOf, networkFailure } from "./Failure.ts"
import type { Answer, Get, Input, Name } from "./Api.ts"

export type Reply<N extends Name> =
  | { readonly ok: true; readonly body: Answer<N> }
  | { readonly ok: false; readonly failure: Failure }

export type Environment = "live" | "test"

/** Whose things a call is about. It is so when the call begins, and stays so however often it is repeated. */
export interface Place {
  readonly environment: Environment
  /** Null: nobody is signed in. */
  readonly merchant: string | null
}

/** What every call needs to know of whoever is here. Set by the session and the address; `call` knows neither. */
export const context = {
  environment: (): Environment => "live",
  merchant: (): string | null => null,
  /** The operator's token, on the operator's screens alone. It is kept in memory, and nowhere else. */
  adminToken: signal<string | null>(null),
  /**
   * Asked when a session is missing or too old for what is wished: resolves to true once somebody has signed in, and to
   * false when they would rather not.
   */
  signIn: (_why: "none" | "stale"): Promise<boolean> => Promise.resolve(false),
  /** Told when the session turns out to be at another merchant than the page: another tab changed over. */
  elsewhere: (): void => {}
}

export const placeNow = (): Place => ({ environment: context.environment(), merchant: context.merchant() })

interface Anything {
  readonly params?: { readonly [name: string]: unknown }
  readonly query?: { readonly [name: string]: unknown }
  readonly body?: unknown
}

/** The address of a call: its values in the path, what is given of its query behind. */
export const urlOf = (name: Name, { params = {}, query = {} }: Anything): string => {
  const path = name
    .slice(name.indexOf(" ") + 1)
    .replace(/:(\w+)/g, (_, field: string) => encodeURIComponent(String(params[field])))
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "")
  const search = new URLSearchParams(asked.map(([field, value]) => [field, String(value)]))
  return search.size === 0 ? path : `${path}?${search}`
}

/** Those that are asked before anybody is signed in, whose 401 is an answer and not an end. */
const isSignIn = (name: Name) =>
  (/\/dashboard\/(sessions\/|sign-in|sessions$)/.test(name) && name.startsWith("POST")) ||
  name === "DELETE /v1/dashboard/sessions/current"

/** Those that are about the session itself are of whatever merchant it is at. */
const isOfSession = (name: Name) => /\/dashboard\/(me$|sign-in$|sessions(\/|$))/.test(name)

/** Says whose things are meant, so that no other environment or merchant can be taken for them. */
export const headersOfPlace = ({ environment, merchant }: Place): Record<string, string> => ({
  "x-environment": environment,
  ...(merchant === null ? {} : { "x-merchant": merchant })
})

const headersOf = (name: Name, body: unknown, place: Place) => ({
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
  return fetch(urlOf(name, input), {
    method: name.slice(0, name.indexOf(" ")),
    credentials: "same-origin",
    headers: { ...headersOf(name, body, place), ...more },
    body: body === undefined ? null : JSON.stringify(body),
    signal
  })
}

/** Whether somebody could mend this refusal by signing in, and how. */
const remedy = (name: Name, response: Response): "none" | "stale" | null => {
  if (isSignIn(name) || name === "GET /v1/dashboard/me" || name.includes(" /v1/admin/")) return null
  if (response.status === 401) return "none"
  return response.status === 403 && response.headers.get("x-sign-in") === "fresh" ? "stale" : null
}

const read = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return text === "" ? undefined : JSON.parse(text)
  } catch {
    return undefined // not ours: `failureOf` says what it can
  }
}

type Got<T> = { readonly ok: true; readonly body: T } | { readonly ok: false; readonly failure: Failure }

const isElsewhere = ({ errorCode, message }: Failure) =>
  errorCode === "INVALID_REQUEST" && message.startsWith("X-Merchant")

/** Asks, and asks again after a sign-in that mends the refusal. What was no success is read as a failure. */
const ask = async <T>(
  name: Name,
  input: Anything,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal | null,
  place: Place,
  taken: (response: Response) => Promise<T>
): Promise<Got<T>> => {
  for (;;) {
    try {
      const response = await attempt(name, input, headers, signal, place)
      if (response.ok) return { ok: true, body: await taken(response) }
      const body = await read(response)
      const why = remedy(name, response)
      if (why !== null && (await context.signIn(why))) continue
      const failure = failureOf(response, body)
      if (isElsewhere(failure)) context.elsewhere()
      return { ok: false, failure }
    } catch {
      return { ok: false, failure: networkFailure() }
    }
  }
}

/**
 * Calls an endpoint of the contract. It never rejects: no network is a failure like any other. Where a session has ended
 * or is too old, it asks for a sign-in and then repeats the call, with the same Idempotency-Key. Where somebody may press
 * again after a broken connection and must not do it twice, the caller keeps a key of its own. It is about the place where
 * it began, whatever the page shows by the time that it is repeated.
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

/** Something that is no JSON, such as a picture or a table, with the name that it should have on a disk. */
export interface LoadedFile {
  readonly blob: Blob
  readonly fileName: string | null
}

/** Reads a file. A plain link could not: it cannot say which environment it means. */
export const file = <N extends Get>(name: N, input: Input<N>, accept = "*/*", signal: AbortSignal | null = null) =>
  ask(name, input as Anything, { accept }, signal, placeNow(), async (response): Promise<LoadedFile> => {
    const named = /filename="?([^";]+)"?/.exec(response.headers.get("content-disposition") ?? "")?.[1]
    return { blob: await response.blob(), fileName: named ?? null }
  })

/** Hands a file to whoever asked for it, as the browser does with downloads. */
export const keepFile = ({ blob, fileName }: LoadedFile, otherwise: string): void => {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = fileName ?? otherwise
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
