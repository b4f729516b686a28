import { CountersignError } from "../CountersignError.ts"
import { checkAborted } from "../request/abortable.ts"
import { pause } from "../request/pause.ts"

/** How a login stands, as the service says it. */
interface Standing {
  readonly authStatus: string
}

export const isStanding = (answer: Readonly<Record<string, unknown>>): answer is typeof answer & Standing =>
  typeof answer["authStatus"] === "string"

const decisions = ["VERIFIED", "FAILED", "EXPIRED"] as const

const longest = 900_000
const slowest = 5_000
/** A backend that gives no session token may be out of reach, as we are, or broken: then somebody must hear of it. */
const patience = 3

/** What says that somebody is here again, or the network: it is worth asking now. */
const wakers = ["visibilitychange", "online"]

/** Whether the service is away or busy, and may have an answer later. Proxies before it say 503 and 504. */
const mayPass = ({ status }: CountersignError) => status === null || status === 429 || status >= 500

/**
 * Asks until the service has decided. What is no answer is waited over, with the service's own wish; a device that slept
 * past the end asks once more before it gives up.
 */
export const untilDecided = async (
  ask: () => Promise<Standing>,
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
    if (left <= 0) throw new CountersignError("TIMEOUT", "Nobody has approved this login yet")
    await pause(Math.min(left, Math.max(delay, wished)), signal, wakers)
    checkAborted(signal)
  }
}
