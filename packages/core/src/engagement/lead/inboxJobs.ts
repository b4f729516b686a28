import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Schema } from "effect"
import { otherwise } from "../../message/sending/afterSend.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"

/**
 * What all that customers write passes, so that a storm of it waits in storage and not before the processor. Its places
 * are as many as share a statement well: with 8 a message costs twice as much of the processor, with more not less.
 */
export const inboxGate = "inbox"
export const inboxPlaces = 64

/** How many messages one job holds. */
export const mostInParcel = 50

const Inbound = Schema.Struct({ sealed: Schema.String })

/** Works on what one callback brought for one environment. Storage may be away for long: it is never put aside for that. */
export const inboundKind = JobKind.make("inbound", Inbound, { mostFailures: 1_000 })

const encoder = new TextEncoder()

/** A repeat of the same messages while the first wait is the same job. The names hold numbers of people: only a hash. */
export const inboundJob = (
  environment: string,
  providerIds: ReadonlyArray<string>,
  sealed: string,
  runAt: Instant
): Job =>
  inboundKind.job({
    key: `inbound:${environment}:${bytesToHex(sha256(encoder.encode(JSON.stringify(providerIds)))).slice(0, 40)}`,
    environment,
    gate: inboxGate,
    payload: { sealed },
    runAt
  })

const Reply = Schema.Struct({
  messageId: Schema.String,
  /** Until when a receipt is waited for, once nobody knows whether the message left; null before that. */
  until: Schema.NullOr(Schema.Number)
})
export type Reply = typeof Reply.Type

/** Sends one reply. It ends by itself when the reply is of no use any more. */
export const replyKind = JobKind.make("reply", Reply, { mostFailures: 200 })

/** The work of sending one reply, through the provider's gate unless nothing leaves the machine. */
export const replyJob = (environment: string, messageId: string, gate: string | null, runAt: Instant): Job =>
  replyKind.job({
    key: `reply:${messageId}`,
    environment,
    // Replies go out by the number that the customer wrote to, which may be a merchant's own.
    ...(gate === null ? {} : { gate, lane: otherwise }),
    payload: { messageId, until: null },
    runAt
  })

const GiveBack = Schema.Struct({
  merchantId: Schema.String,
  agentId: Schema.Number,
  /** As the history of each lead calls them. */
  email: Schema.String
})
export type GiveBack = typeof GiveBack.Type

/** Takes back the leads of an agent who was suspended or removed. */
export const giveBackKind = JobKind.make("give-back", GiveBack, { mostFailures: null })

/** The request that deactivates an agent takes the first leads back itself, in its caller's name. Then the job follows. */
const headStart = seconds(1)

/** Each deactivation has its own job: one that is under way may belong to an earlier deactivation. */
export const giveBackJob = (environment: string, agent: GiveBack, now: Instant): Job =>
  giveBackKind.job({
    key: `give-back:${agent.merchantId}:${agent.agentId}:${now}`,
    environment,
    payload: agent,
    runAt: now + headStart
  })
