import type { Rules } from "./backend.ts"
import { now } from "./clock.ts"
import type { Sent } from "./ways.ts"

/** A login that waits for its code. */
export interface Pending {
  readonly way: "phone" | "email"
  readonly identity: string
  readonly requestId: string
  readonly codeLength: number
  readonly expiresAt: number
  /** The number of resends. */
  readonly resent: number
  /** When the next resend is allowed. */
  readonly againAt: number
  readonly triesLeft: number
  /** The channels that the page has shown, the latest last. */
  readonly channels: ReadonlyArray<string>
  /** Only a new code can help. */
  readonly over: boolean
}

/** Seconds that the service requires before each resend from an app, and between all later ones. */
const waits = [15, 30, 60, 120] as const

/** The pending login after a send, or, with `before`, after a resend. */
export const pendingAfter = (
  sent: Sent,
  { maxAttempts, resendCooldownSeconds }: Rules,
  to: Pick<Pending, "way" | "identity">,
  before?: Pending
): Pending => {
  const same = before?.requestId === sent.requestId ? before : undefined
  const channel = sent.channel.toUpperCase()
  const resent = same === undefined ? 0 : same.resent + 1
  const wait = Math.max(resendCooldownSeconds, waits[Math.min(resent, waits.length - 1)]!)
  return {
    way: to.way,
    identity: to.identity,
    requestId: sent.requestId,
    codeLength: sent.codeLength,
    expiresAt: Date.parse(sent.expiresAt),
    resent,
    againAt: now() + wait * 1000,
    triesLeft: same?.triesLeft ?? maxAttempts,
    channels: [...(same?.channels ?? []).filter((one) => one !== channel), channel],
    over: false
  }
}

const key = "login"

/** Phones may unload the page while the user looks for the code in another app. This restores it. */
export const keep = (pending: Pending | null): void => {
  try {
    if (pending === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(pending))
  } catch {
    // Without storage the page works only while it stays open.
  }
}

export const kept = (): Pending | null => {
  try {
    const found: Pending | null = JSON.parse(sessionStorage.getItem(key) ?? "null")
    return found !== null && now() < found.expiresAt ? found : null
  } catch {
    return null
  }
}
