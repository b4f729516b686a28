import { type ProviderChecked, ProviderCheckFailed } from "@countersign/core/channel"
import { Effect } from "effect"
import type { Answered, Reply } from "./ask.ts"

/** Describes an empty request and its possible answers, for the operator. */
export interface EmptyQuestion {
  /** `api.nexmo.com` */
  readonly host: string
  /** `the API key and its secret` */
  readonly credentials: string
  /** The place to compare them with: `Vonage's dashboard`. */
  readonly console: string
  /** Whether an answer means that the credentials are wrong. */
  readonly refuses: (answer: Answered) => boolean
  /** Whether an answer reports missing parameters, which means that the credentials are right. */
  readonly misses: (answer: Answered) => boolean
}

const fail = (problem: string, advice: string) => Effect.fail(new ProviderCheckFailed({ problem, advice }))

/**
 * Implements a channel's `check` for a provider that validates credentials first: an empty request shows whether they are
 * right and cannot send anything.
 */
export const checked = (
  reply: Reply,
  { console, credentials, host, misses, refuses }: EmptyQuestion
): Effect.Effect<ProviderChecked, ProviderCheckFailed> => {
  if (reply._tag === "NotReached")
    return fail("is unreachable", `check that this machine can reach ${host} on port 443`)
  if (reply._tag === "Lost") return fail("did not answer", "try again")
  const status = `HTTP ${reply.status}`
  if (refuses(reply)) return fail(`does not accept ${credentials} (${status})`, `compare them with ${console}`)
  if (misses(reply)) return Effect.succeed({ detail: `accepts ${credentials}` })
  return reply.status === 429 || reply.status >= 500
    ? fail(`is temporarily unavailable (${status})`, "try again")
    : fail(`gave an unexpected answer (${status})`, `check that ${host} answers there, and not a proxy`)
}
