import { type ProviderChecked, ProviderCheckFailed } from "@countersign/core/channel"
import { Effect } from "effect"
import type { Answered, Reply } from "./ask.ts"

/** What a provider that was asked for nothing may say, in words for the operator. */
export interface EmptyQuestion {
  /** `api.nexmo.com` */
  readonly host: string
  /** `the API key and its secret` */
  readonly credentials: string
  /** Where they are to be compared: `Vonage's dashboard`. */
  readonly console: string
  /** Whether an answer says that they are wrong. */
  readonly refuses: (answer: Answered) => boolean
  /** Whether an answer says that something is missing, so that they are right. */
  readonly misses: (answer: Answered) => boolean
}

const fail = (problem: string, advice: string) => Effect.fail(new ProviderCheckFailed({ problem, advice }))

/**
 * For `check` of a channel whose provider looks at credentials before all else: a request in which everything is missing
 * tells whether they are right, and can send nothing.
 */
export const checked = (
  reply: Reply,
  { console, credentials, host, misses, refuses }: EmptyQuestion
): Effect.Effect<ProviderChecked, ProviderCheckFailed> => {
  if (reply._tag === "NotReached") return fail("cannot be reached", `let this machine reach ${host} on port 443`)
  if (reply._tag === "Lost") return fail("gave no answer", "try again")
  const status = `HTTP ${reply.status}`
  if (refuses(reply)) return fail(`does not accept ${credentials} (${status})`, `compare them with ${console}`)
  if (misses(reply)) return Effect.succeed({ detail: `accepts ${credentials}` })
  return reply.status === 429 || reply.status >= 500
    ? fail(`cannot answer now (${status})`, "try again")
    : fail(`gave an answer that says nothing (${status})`, `look whether ${host} is what answers there`)
}
