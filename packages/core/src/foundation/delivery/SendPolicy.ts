import { hours, type Millis, seconds } from "../time/Instant.ts"
import { outcomeUnknown, unanswered } from "./Delivery.ts"

/** The rules that differ between kinds of messages. Everything else about a send is the same for all. */
export interface SendPolicy {
  /** The lifetime of a message that has no expiry of its own; null for no limit. */
  readonly endsAfter: Millis | null
  /**
   * Whether a commit marks the message before the send. A marked message is not sent again until it is certain that the
   * provider does not have it. For unmarked messages, a process that dies may cause a second send.
   */
  readonly isMarked: boolean
  /** How often to send again when the provider did not answer. */
  readonly repeats: 0 | 1
  /** Whether to send again when the provider did not answer, but promises to send one delivery id only once. */
  readonly trustsDeduplication: boolean
  /** When a message without any answer fails, and with which code. Null to wait for its receipt. */
  readonly silence: { readonly after: Millis; readonly as: string } | null
  /** Whether core may send it over another channel. */
  readonly fallsBack: boolean
  /** When its price is booked. It is refunded when the message fails or is no longer needed. */
  readonly paid: "requested" | "marked"
  /** The most tries; null for as many as fit before its expiry. */
  readonly mostTries: number | null
}

/**
 * | message | ends at | no answer from the provider | other channel | paid |
 * |---|---|---|---|---|
 * | code, link | its expiry | send the same again once, then wait for the receipt | yes | when requested |
 * | reply | 24-hour window | wait 60 s, then FAILED `unanswered` | no | when requested |
 * | relayed code | its expiry, at most 15 minutes | never send again, wait for the receipt | yes | when requested |
 * | campaign message | never | wait 60 s, then FAILED `outcome_unknown` | no | when marked |
 *
 * Codes are not marked, because receiving the same code twice is harmless. A relayed code is: the system that made it
 * decides how often it is sent. A campaign message is also sent again, once,
 * after its wait when receipts of later messages arrived: see `campaign/resolve.ts`.
 */
export const sendPolicies = {
  code: {
    endsAfter: null,
    isMarked: false,
    repeats: 1,
    trustsDeduplication: true,
    silence: null,
    fallsBack: true,
    paid: "requested",
    mostTries: null
  },
  relayed: {
    endsAfter: null,
    isMarked: true,
    repeats: 0,
    trustsDeduplication: false,
    silence: null,
    fallsBack: true,
    paid: "requested",
    mostTries: null
  },
  reply: {
    endsAfter: hours(24),
    isMarked: true,
    repeats: 0,
    trustsDeduplication: true,
    silence: { after: seconds(60), as: unanswered },
    fallsBack: false,
    paid: "requested",
    mostTries: null
  },
  campaign: {
    endsAfter: null,
    isMarked: true,
    repeats: 0,
    trustsDeduplication: true,
    silence: { after: seconds(60), as: outcomeUnknown },
    fallsBack: false,
    paid: "marked",
    mostTries: 30
  }
} as const satisfies { readonly [message: string]: SendPolicy }
