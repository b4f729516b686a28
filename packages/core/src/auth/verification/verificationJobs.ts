import { Schema } from "effect"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import { otherwise } from "../../message/sending/afterSend.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { Verification } from "./Verification.ts"

const SendPayload = Schema.Struct({ verificationId: Schema.String, deliveryId: Schema.String })
export type SendPayload = typeof SendPayload.Type

/** Sends one delivery. It ends by itself when the code does, so no failure of its provider may put it aside before. */
export const sendKind = JobKind.make("send", SendPayload, { mostFailures: 200 })

/** Looks at a verification when its first channel has had its time. */
export const fallbackKind = JobKind.make("fallback", Schema.Struct({ verificationId: Schema.String }))

const ExpiryPayload = Schema.Struct({
  /** Where the last look stopped: at this moment, or at this verification of it. */
  since: Schema.Number,
  id: Schema.optionalKey(Schema.String),
  /** How far this look goes, where the clock was set back. */
  until: Schema.optionalKey(Schema.Number),
  /** When the last thorough look was. */
  thorough: Schema.optionalKey(Schema.Number)
})
export type ExpiryPayload = typeof ExpiryPayload.Type

/** Announces expiries: one job that never ends, because there is nobody else to do it. */
export const expiryKind = JobKind.make("expiry", ExpiryPayload, {
  mostFailures: null,
  backoff: { first: seconds(5), most: seconds(5), spread: 0 },
  alwaysSoon: true
})

/** Whether it may go out by a merchant's own account: the request or the merchant's template may name a number. */
export const mayHaveAccount = ({ channel, options, text }: VerificationDelivery): boolean =>
  channel === "WHATSAPP" && (options.wabaId !== undefined || text !== undefined)

/** What a message passes: its channel, unless it never leaves the machine. */
export const gateOf = (verification: Verification, delivery: VerificationDelivery, fallsBack: boolean) =>
  verification.sandbox === true
    ? undefined
    : { gate: delivery.channel, ...(fallsBack || mayHaveAccount(delivery) ? { lane: otherwise } : {}) }

export const sendKey = (deliveryId: string): string => `send:${deliveryId}`

const fallbackKey = (verificationId: string, deliveries: number): string => `fallback:${verificationId}:${deliveries}`

/** The keys of all work that a verification may still ask for. */
export const jobKeysOf = ({ deliveries, id }: Verification): ReadonlyArray<string> =>
  deliveries.flatMap((delivery, index) => [sendKey(delivery.id), fallbackKey(id, index + 1)])

/** The work of sending one delivery. `fallsBack` says whether another channel can take its place. */
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

/** The look at a verification once its first channel has had its time. None when nothing could follow. */
export const fallbackJob = ({ deliveries, environment, fallback, id }: Verification): ReadonlyArray<Job> =>
  fallback === null || fallback.used
    ? []
    : [
        fallbackKind.job({
          // Every send has a look of its own: one that is under way may end without having seen a resend.
          key: fallbackKey(id, deliveries.length),
          environment,
          payload: { verificationId: id },
          runAt: fallback.dueAt
        })
      ]
