import { ask } from "@countersign/provider-http"
import { Clock, Effect } from "effect"
import { createPublicKey, type KeyObject } from "node:crypto"

/** The keys that SNS signs with, by the URL of their certificate. */
export interface Certificates {
  /** Null when the URL does not belong to SNS or has no certificate. */
  readonly find: (url: string) => Effect.Effect<KeyObject | null>
}

/** The file names of SNS certificates. */
const file = /^\/SimpleNotificationService-[0-9a-f]{16,64}\.pem$/
const longest = 16 * 1024
/** The most cached certificates. SNS uses one, and briefly two when it rotates. */
const kept = 8
/** The most certificate requests per minute, because forged reports can name certificates that do not exist. */
const asksPerMinute = 12

const keyOf = (pem: string): KeyObject | null => {
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === "rsa" ? key : null
  } catch {
    return null
  }
}

/**
 * Fetches certificates only from `snsUrl`, over TLS. A report that names any other host, such as an S3 bucket at
 * amazonaws.com, is refused without a request.
 */
export const make = (snsUrl: string): Certificates => {
  const keys = new Map<string, KeyObject>()
  let minute = 0
  let asks = 0

  const mayAsk = (now: number): boolean => {
    const current = Math.floor(now / 60_000)
    if (current !== minute) {
      minute = current
      asks = 0
    }
    asks++
    return asks <= asksPerMinute
  }

  const fetched = Effect.fnUntraced(function* (path: string) {
    if (!mayAsk(yield* Clock.currentTimeMillis)) return null
    const reply = yield* ask({ url: `${snsUrl}${path}`, method: "GET", longestAnswer: longest })
    const key = reply._tag === "Answered" && reply.status === 200 && reply.text !== null ? keyOf(reply.text) : null
    if (key === null) return null
    const [oldest] = keys.keys()
    if (keys.size >= kept && oldest !== undefined) keys.delete(oldest)
    keys.set(path, key)
    return key
  })

  return {
    find: (url) =>
      Effect.suspend(() => {
        const path = url.startsWith(snsUrl) ? url.slice(snsUrl.length) : ""
        if (!file.test(path)) return Effect.succeed(null)
        const key = keys.get(path)
        return key === undefined ? fetched(path) : Effect.succeed(key)
      })
  }
}
