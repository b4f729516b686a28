/** Who is signed in. */
export interface User {
  readonly identity: string
  readonly identityType: string
  readonly verifiedAt: string
  readonly oneTap: boolean
  readonly byLink: boolean
}

/** What the merchant's settings say about codes. */
export interface Rules {
  readonly maxAttempts: number
  readonly resendCooldownSeconds: number
  /** A device is known again after its first code. */
  readonly oneTap: boolean
}

/** What the backend tells the page before anybody is signed in. */
export interface Page {
  readonly user: User | null
  /** `baseUrl` null: Countersign is at the page's own address. */
  readonly service: { readonly baseUrl: string | null; readonly publicKey: string }
  readonly rules: Rules
  readonly outboxUrl: string | null
  /** Whether somebody plays Truecaller: a page cannot ask the real one. */
  readonly truecaller: boolean
  readonly now: number
}

/** The backend's no, in the same shape as the SDK's. */
export class Refusal extends Error {
  readonly errorCode: string
  readonly retryAfterSeconds: number | null
  constructor(errorCode: string, message: string, retryAfterSeconds: number | null) {
    super(message)
    this.errorCode = errorCode
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const call = async <A>(path: string, init: RequestInit): Promise<A> => {
  const response = await fetch(path, { ...init, signal: AbortSignal.timeout(20_000) }).catch(() => {
    throw new Refusal("NETWORK_ERROR", "The server did not answer.", null)
  })
  const body = response.status === 204 ? null : await response.json().catch(() => ({}))
  if (response.ok) return body
  throw new Refusal(body?.errorCode ?? "UNAVAILABLE", body?.message ?? "", body?.retryAfterSeconds ?? null)
}

export const get = <A>(path: string): Promise<A> => call(path, {})

export const post = <A = null>(path: string, fields: object = {}): Promise<A> =>
  call(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fields) })
