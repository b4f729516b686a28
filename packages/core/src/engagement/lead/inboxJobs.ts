import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { Schema } from "effect"
import { otherwise } from "../../message/sending/afterSend.ts"
import type { Job } from "../../foundation/outbox/Job.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import type { Lead } from "./Lead.ts"

/**
 * The gate for all incoming messages, so that a burst waits in storage and does not overload the processor. With this
 * many places, messages share statements well: with 8 a message costs twice as much processor time, and more places
 * save nothing.
 */
export const inboxGate = "inbox"
export const inboxPlaces = 64

/** How many messages one job contains. */
export const mostInParcel = 50

const Inbound = Schema.Struct({ sealed: Schema.String })

/**
 * Processes one callback's messages for one environment. An outage of storage never parks this job, however long it
 * lasts.
 */
export const inboundKind = JobKind.make("inbound", Inbound, { mostFailures: 1_000 })

const encoder = new TextEncoder()

/**
 * The job's key, so that a repeat of waiting messages adds no second job. Provider ids contain phone numbers, so the
 * key is a hash.
 */
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
  /** Until when to wait for a receipt after a send with an unknown outcome; null before that. */
  until: Schema.NullOr(Schema.Number)
})
export type Reply = typeof Reply.Type

/** Sends one reply. The job ends by itself when the reply expires. */
export const replyKind = JobKind.make("reply", Reply, { mostFailures: 200 })

/**
 * The job that sends one reply, through the provider's gate. Test environments use no gate, because they send nothing
 * outside.
 */
export const replyJob = (environment: string, messageId: string, gate: string | null, runAt: Instant): Job =>
  replyKind.job({
    key: `reply:${messageId}`,
    environment,
    // Replies are sent from the number that the customer wrote to, which may be a merchant's own.
    ...(gate === null ? {} : { gate, lane: otherwise }),
    payload: { messageId, until: null },
    runAt
  })

const Digest = Schema.Struct({
  merchantId: Schema.String,
  agentId: Schema.Number,
  /** When the agent made the choice that this job carries out. */
  chosenAt: Schema.Number
})
export type Digest = typeof Digest.Type

/** Mails an agent while customers wait. The job runs until the agent makes another choice or is removed. */
export const digestKind = JobKind.make("digest", Digest, { lease: seconds(30), mostFailures: null })

/** Each choice has its own job, because a running job may belong to an earlier choice. */
export const digestJob = (environment: string, choice: Digest): Job =>
  digestKind.job({
    key: `digest:${environment}:${choice.agentId}:${choice.chosenAt}`,
    environment,
    payload: choice,
    runAt: choice.chosenAt
  })

const Push = Schema.Struct({
  merchantId: Schema.String,
  leadId: Schema.Number,
  received: Schema.Number,
  sentAt: Schema.NullOr(Schema.Number),
  tries: Schema.Number
})
export type Push = typeof Push.Type

/**
 * Pushes notifications about one conversation. The job lives for a minute after the latest push, and its payload has
 * that push. So a message that arrives within the minute finds the job and adds none.
 */
export const pushKind = JobKind.make("push", Push, { lease: seconds(30), mostFailures: null, joins: true })

/** Time for the page of an agent to show the message, and for a burst of messages to become one push. */
const pushDelay = seconds(3)

export const pushJob = (
  merchantId: string,
  { environment, id: leadId }: Pick<Lead, "environment" | "id">,
  now: Instant
): Job =>
  pushKind.job({
    key: `push:${environment}:${leadId}`,
    environment,
    payload: { merchantId, leadId, received: 0, sentAt: null, tries: 0 },
    runAt: now + pushDelay
  })

const GiveBack = Schema.Struct({
  merchantId: Schema.String,
  agentId: Schema.Number,
  /** The agent's name in the history of each lead. */
  email: Schema.String
})
export type GiveBack = typeof GiveBack.Type

/** Releases the leads of a suspended or removed agent. */
export const giveBackKind = JobKind.make("give-back", GiveBack, { mostFailures: null })

/**
 * The request that deactivates an agent releases the first leads itself, in the caller's name. The job starts after
 * that.
 */
const headStart = seconds(1)

/** Each deactivation has its own job, because a running job may belong to an earlier deactivation. */
export const giveBackJob = (environment: string, agent: GiveBack, now: Instant): Job =>
  giveBackKind.job({
    key: `give-back:${agent.merchantId}:${agent.agentId}:${now}`,
    environment,
    payload: agent,
    runAt: now + headStart
  })
