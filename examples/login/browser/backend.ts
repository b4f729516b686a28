/** The signed-in user. */
export interface User {
  readonly identity: string
  readonly identityType: string
  readonly verifiedAt: string
  readonly oneTap: boolean
  readonly byLink: boolean
}

/** The merchant's settings for codes. */
export interface Rules {
  readonly maxAttempts: number
  readonly resendCooldownSeconds: number
  /** A device is trusted after its first code. */
  readonly oneTap: boolean
}

/** The page's configuration, sent before a sign-in. */
export interface Page {
  readonly user: User | null
  /** `baseUrl` null: Countersign has the page's own address. */
  readonly service: { readonly baseUrl: string | null; readonly publicKey: string }
  readonly rules: Rules
  readonly outboxUrl: string | null
  /** Whether Truecaller is simulated: a page cannot use the real app. */
  readonly truecaller: boolean
  readonly now: number
}

/** A refusal of the backend, in the same shape as the SDK's errors. */
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
