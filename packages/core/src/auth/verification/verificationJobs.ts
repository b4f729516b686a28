import { Schema } from "effect"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import { otherwise } from "../../message/sending/afterSend.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { Verification } from "./Verification.ts"

const SendPayload = Schema.Struct({ verificationId: Schema.String, deliveryId: Schema.String })
export type SendPayload = typeof SendPayload.Type

/**
 * Sends one delivery. The job ends by itself when the code expires, so provider failures must not give it up before.
 */
export const sendKind = JobKind.make("send", SendPayload, { mostFailures: 200 })

/** Checks a verification when its first channel's time is over. */
export const fallbackKind = JobKind.make("fallback", Schema.Struct({ verificationId: Schema.String }))

const ExpiryPayload = Schema.Struct({
  /** Where the last sweep stopped: at this time, or at this verification that expires at it. */
  since: Schema.Number,
  id: Schema.optionalKey(Schema.String),
  /** Where this sweep ends, if the clock was set back. */
  until: Schema.optionalKey(Schema.Number),
  /** When the last thorough sweep ran. */
  thorough: Schema.optionalKey(Schema.Number)
})
export type ExpiryPayload = typeof ExpiryPayload.Type

/** Announces expiries. One job that never ends, because no other job would restart it. */
export const expiryKind = JobKind.make("expiry", ExpiryPayload, {
  mostFailures: null,
  backoff: { first: seconds(5), most: seconds(5), spread: 0 },
  alwaysSoon: true
})

/** Whether it may use a merchant's own account: the request or the merchant's template may name a number. */
export const mayHaveAccount = ({ channel, options, text }: VerificationDelivery): boolean =>
  channel === "WHATSAPP" && (options.wabaId !== undefined || text !== undefined)

/** The gate that a message waits at: its channel, unless it never leaves the machine. */
export const gateOf = (verification: Verification, delivery: VerificationDelivery, fallsBack: boolean) =>
  verification.sandbox === true
    ? undefined
    : { gate: delivery.channel, ...(fallsBack || mayHaveAccount(delivery) ? { lane: otherwise } : {}) }

export const sendKey = (deliveryId: string): string => `send:${deliveryId}`

const fallbackKey = (verificationId: string, deliveries: number): string => `fallback:${verificationId}:${deliveries}`

/** Returns the keys of all jobs that a verification may still have. */
export const jobKeysOf = ({ deliveries, id }: Verification): ReadonlyArray<string> =>
  deliveries.flatMap((delivery, index) => [sendKey(delivery.id), fallbackKey(id, index + 1)])

/** Returns the job that sends one delivery. `fallsBack` says whether another channel can replace it. */
export const sendJob = (
  verification: Verification,
  delivery: VerificationDelivery,
  fallsBack: boolean,
  now: Instant
): Job =>
  sendKind.job({
    key: sendKey(delivery.id),
    environment: verification.environment,
    ...gateOf(verification, delivery, fallsBack),
    payload: { verificationId: verification.id, deliveryId: delivery.id },
    runAt: now
  })

/**
 * Returns the job that checks a verification at the end of its first channel's time. Empty without a usable fallback.
 */
export const fallbackJob = ({ deliveries, environment, fallback, id }: Verification): ReadonlyArray<Job> =>
  fallback === null || fallback.used
    ? []
    : [
        fallbackKind.job({
          // Every send gets its own check: one in progress may end without having seen a resend.
          key: fallbackKey(id, deliveries.length),
          environment,
          payload: { verificationId: id },
          runAt: fallback.dueAt
        })
      ]
