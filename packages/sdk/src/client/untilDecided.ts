import { CountersignError } from "../CountersignError.ts"
import { checkAborted } from "../request/abortable.ts"
import { pause } from "../request/pause.ts"

/** The status of a login. */
interface StatusAnswer {
  readonly authStatus: string
}

export const isStatusAnswer = (answer: Readonly<Record<string, unknown>>): answer is typeof answer & StatusAnswer =>
  typeof answer["authStatus"] === "string"

const decisions = ["VERIFIED", "FAILED", "EXPIRED"] as const

const longest = 900_000
const slowest = 5_000
/** Failures of `sessionToken` in a row before the wait rejects: the backend may be offline, but it may also be broken. */
const patience = 3

/** Events after which it polls immediately: the user or the network is back. */
const wakers = ["visibilitychange", "online"]

/** Whether the service is unreachable or busy and may answer later. Proxies in front of it answer 503 and 504. */
const mayPass = ({ status }: CountersignError) => status === null || status === 429 || status >= 500

/**
 * Polls until the login is decided. Waits out temporary failures, for `Retry-After` if present. A device that slept past
 * the deadline polls once more before it gives up.
 */
export const untilDecided = async (
  ask: () => Promise<StatusAnswer>,
  {
    signal,
    timeoutMs = longest
  }: { readonly signal?: AbortSignal | undefined; readonly timeoutMs?: number | undefined }
): Promise<{ readonly status: (typeof decisions)[number] }> => {
  const end = Date.now() + timeoutMs
  let failures = 0
  for (let delay = 1_200; ; delay = Math.min(slowest, delay * 1.2)) {
    let wished = 0
    try {
      const { authStatus } = await ask()
      const status = decisions.find((one) => one === authStatus)
      if (status !== undefined) return { status }
      failures = 0
    } catch (error) {
      checkAborted(signal)
      if (error instanceof CountersignError && error.errorCode !== "INVALID_CLIENT_CREDENTIALS") {
        if (!mayPass(error)) throw error
        wished = (error.retryAfterSeconds ?? 0) * 1_000
      } else if (++failures >= patience) throw error
    }
    const left = end - Date.now()
    if (left <= 0) throw new CountersignError("TIMEOUT", "The login was not approved in time")
    await pause(Math.min(left, Math.max(delay, wished)), signal, wakers)
    checkAborted(signal)
  }
}
