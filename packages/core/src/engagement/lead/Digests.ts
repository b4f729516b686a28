import { Clock, Effect, Layer, Redacted } from "effect"
import { MerchantStore } from "../../account/merchant/MerchantStore.ts"
import { withDefaults } from "../../account/merchant/Settings.ts"
import { isOpen } from "../../auth/staff/Sessions.ts"
import { StaffStore } from "../../auth/staff/StaffStore.ts"
import { canMail } from "../../foundation/delivery/carries.ts"
import type { Channels } from "../../foundation/delivery/Channels.ts"
import type { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import type { NoticeMessage } from "../../foundation/delivery/Message.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import * as Reference from "../../message/sending/Reference.ts"
import { Senders } from "../../message/sending/Senders.ts"
import { mailed, nextDigest } from "./digest.ts"
import { digestMail } from "./digestMail.ts"
import { makeDigestOffer } from "./digestOffer.ts"
import { type Digest, digestKind } from "./inboxJobs.ts"
import { waitingSince } from "./Lead.ts"
import { LeadStore } from "./LeadStore.ts"

/** A mail says "more than 100" beyond this. */
const mostCounted = 100

const completed: JobOutcome = { _tag: "Completed" }
const later = (runAt: Instant, reason: string): JobOutcome => ({ _tag: "Later", runAt, reason })

/** Mails agents who chose it while customers wait for them. */
export const layer: Layer.Layer<
  never,
  never,
  Channels | Jobs | LeadStore | LinkAddress | MerchantStore | Outbox | Senders | StaffStore
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const leads = yield* LeadStore
    const merchants = yield* MerchantStore
    const staff = yield* StaffStore
    const senders = yield* Senders
    const commit = yield* Outbox.committer(StaffStore)
    const offer = yield* makeDigestOffer

    /** Since when the agent's own and the unassigned leads wait: the longest waits of each, and one more than counted. */
    const waitsFor = Effect.fnUntraced(function* (environment: string, agentId: number, now: Instant) {
      const found = yield* Effect.forEach([null, agentId], (assignedTo) =>
        leads.waiting({ environment, assignedTo, until: now }, null, mostCounted + 1)
      )
      return found.flat().flatMap((lead) => waitingSince(lead, now) ?? [])
    })

    /** Decides, and records the mail before it is sent: a crash between the two loses a mail and never sends two. */
    const decide = Effect.fnUntraced(function* ({ environment, payload }: Work<Digest>) {
      const { agentId, chosenAt, merchantId } = payload
      const membership = yield* staff.membership(merchantId, agentId)
      const now = yield* Clock.currentTimeMillis
      const agent = membership?.agent ?? null
      const isReachable =
        membership !== null &&
        offer !== null &&
        isOpen(membership) &&
        canMail(offer.channel, membership.agent.canonical)
      const facts = { agent, chosenAt, canMail: isReachable }
      const waits = isReachable ? yield* waitsFor(environment, agentId, now) : []
      const step = nextDigest({ ...facts, waits }, now)
      if (step._tag === "End") return { outcome: completed, mail: null }
      if (step._tag === "Later" || agent === null || offer === null)
        return { outcome: later(step._tag === "Later" ? step.at : now, "no customer waits long enough"), mail: null }
      const state = senders.state(offer.channel, "Notice", null, now)
      if (state._tag === "Resting") return { outcome: later(state.until, "the e-mail provider rests"), mail: null }
      const { again, agent: after } = mailed(agent, now)
      yield* commit(StaffStore.change({ agents: [after] }))
      return { outcome: later(again, "a mail was sent"), mail: { agent, step, offer, now } }
    })

    const handle = Effect.fnUntraced(function* (job: Work<Digest>) {
      const { mail, outcome } = yield* untilCommitted(decide(job))
      if (mail === null) return outcome
      const { agent, now, step, offer } = mail
      const access = yield* merchants.environment(job.environment)
      if (access === null) return completed
      const settings = withDefaults(access.environment.settings)
      const { subject, text } = digestMail({
        count: Math.min(step.count, mostCounted),
        more: step.count > mostCounted,
        since: step.since,
        minutes: agent.digest?.minutes ?? 0,
        merchant: access.merchant.name,
        inbox: offer.inbox,
        timeZone: settings.timeZone,
        locale: settings.locale
      })
      const deliveryId = Identifier.make("dlv", now)
      const message: NoticeMessage = {
        _tag: "Notice",
        deliveryId,
        // Nothing waits for this mail's receipt.
        reference: Reference.format({ environment: job.environment, ownerId: `digest_${agent.id}`, deliveryId }),
        to: agent.canonical,
        brand: settings.brand,
        locale: settings.locale,
        subject: Redacted.make(subject),
        text: Redacted.make(text),
        html: null,
        validForSeconds: null,
        expiresAt: null,
        options: {}
      }
      const sent = yield* senders.send(offer.channel, message)
      if (sent._tag !== "Sent")
        yield* Effect.logWarning("A mail about waiting customers could not be sent", {
          environment: job.environment,
          agentId: agent.id,
          problem: sent._tag === "Failed" ? sent.error.reason.providerCode : sent._tag
        })
      return outcome
    })

    yield* jobs.handle(digestKind, handle)
  })
)
