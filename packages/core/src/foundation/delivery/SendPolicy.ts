import { hours, type Millis, seconds } from "../time/Instant.ts"
import { outcomeUnknown, unanswered } from "./Delivery.ts"

/** What differs between kinds of messages on their way. Everything else about a send is the same for all. */
export interface SendPolicy {
  /** How long a message is of use that has no end of its own; null for any time. */
  readonly endsAfter: Millis | null
  /**
   * A message is marked in a commit before its provider gets it, and one that is marked is not handed over again before
   * it is known that the provider does not have it. Unmarked, a process that dies may send the same message twice.
   */
  readonly isMarked: boolean
  /** How often a message is sent again whose provider did not answer. */
  readonly repeats: 0 | 1
  /** What happens to a message of which nothing is heard: it fails after a time, or (null) waits for its receipt. */
  readonly silence: { readonly after: Millis; readonly as: string } | null
  /** Whether another channel can take its place. */
  readonly fallsBack: boolean
  /** When its money is taken. It is given back when the message fails, or is not to be sent any more. */
  readonly paid: "requested" | "marked"
  /** With so many tries it is given up; null for as many as fit before its end. */
  readonly mostTries: number | null
}

/**
 * | message | ends at | no answer from the provider | other channel | paid |
 * |---|---|---|---|---|
 * | code, link | its expiry | send the same again once, then wait for the receipt | yes | when requested |
 * | reply | 24-hour window | wait 60 s, then FAILED `unanswered` | no | when requested |
 * | campaign message | never | wait 60 s, then FAILED `outcome_unknown` | no | when marked |
 *
 * Two codes that say the same harm nobody, so codes are not marked. A campaign's message is also sent again after its
 * wait, once, where later ones were heard of: see `campaign/resolve.ts`.
 */
export const sendPolicies = {
  code: {
    endsAfter: null,
    isMarked: false,
    repeats: 1,
    silence: null,
    fallsBack: true,
    paid: "requested",
    mostTries: null
  },
  reply: {
    endsAfter: hours(24),
    isMarked: true,
    repeats: 0,
    silence: { after: seconds(60), as: unanswered },
    fallsBack: false,
    paid: "requested",
    mostTries: null
  },
  campaign: {
    endsAfter: null,
    isMarked: true,
    repeats: 0,
    silence: { after: seconds(60), as: outcomeUnknown },
    fallsBack: false,
    paid: "marked",
    mostTries: 30
  }
} as const satisfies { readonly [message: string]: SendPolicy }
