import { Clock, Effect, Layer } from "effect"
import { MerchantStore } from "../../account/merchant/MerchantStore.ts"
import { withoutDevices } from "../../auth/staff/deviceRules.ts"
import { StaffStore } from "../../auth/staff/StaffStore.ts"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type JobOutcome, Jobs, type Work } from "../../foundation/outbox/Jobs.ts"
import { JobStore } from "../../foundation/outbox/JobStore.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import type { SigningKey } from "../../foundation/secret/SigningKey.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { type Push, pushKind } from "./inboxJobs.ts"
import type { Lead } from "./Lead.ts"
import { LeadStore } from "./LeadStore.ts"
import { PresenceStore } from "./Presence.ts"
import { betweenPushes, nextPush, pushed, type PushResult, type PushTarget, recorded, resultOf } from "./push.ts"
import { makePushKeys } from "./pushKeys.ts"
import { PushSender } from "./PushSender.ts"

/** For how long a push service keeps a message for a browser that is offline: a shift, not a night. */
const ttlSeconds = 4 * 60 * 60
/** The longest topic that push services accept. */
const topicLength = 32
const atOnce = 50
/** Shorter than the minute after which another process may send again. */
const sendWithin = "45 seconds"

const completed: JobOutcome = { _tag: "Completed" }
const committed: JobOutcome = { _tag: "Committed" }
const later = (runAt: Instant, reason: string, payload?: Push): JobOutcome => ({
  _tag: "Later",
  runAt,
  reason,
  ...(payload === undefined ? {} : { payload })
})

/** Pushes a notification to agents' devices when a customer writes. */
export const layer: Layer.Layer<
  never,
  never,
  Jobs | JobStore | Keyring | LeadStore | LinkAddress | MerchantStore | Outbox | PresenceStore | PushSender | StaffStore
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const jobStore = yield* JobStore
    const keyring = yield* Keyring
    const leads = yield* LeadStore
    const merchants = yield* MerchantStore
    const presences = yield* PresenceStore
    const sender = yield* PushSender
    const staff = yield* StaffStore
    const { dashboard } = yield* LinkAddress
    const pushKeys = yield* makePushKeys
    const commitLead = yield* Outbox.committer(LeadStore)
    const commitStaff = yield* Outbox.committer(StaffStore)
    const subject = dashboard?.startsWith("https://") === true ? dashboard : null

    /**
     * Removes devices whose push service says that they no longer exist. A failure must not repeat the pushes; the next
     * push finds the device gone again.
     */
    const forget = (merchantId: string, gone: ReadonlySet<string>) =>
      untilCommitted(
        Effect.gen(function* () {
          const { agents } = yield* staff.staff(merchantId)
          const changed = agents.flatMap((agent) => {
            const without = withoutDevices(agent, ({ id }) => gone.has(id))
            return without === agent ? [] : [without]
          })
          if (changed.length > 0) yield* commitStaff(StaffStore.change({ agents: changed }))
        })
      ).pipe(
        Effect.catchTags({
          Contended: () => Effect.logDebug("Devices that no longer exist were not removed yet"),
          StoreError: (error) => logStoreError("Devices that no longer exist were not removed yet", error)
        })
      )

    /**
     * The topic is derived with a secret key, so that a push service learns nothing from it. The text has no word of
     * the customer and nothing that identifies them: the worker in the browser words it.
     */
    const messageOf = ({ environment, id }: Lead, merchantId: string, count: number) => ({
      topic: Identifier.textOf(keyring.current.mac("push-topic", `${environment}\n${id}`)).slice(0, topicLength),
      text: JSON.stringify({ count, lead: `${merchantId}.${id}` })
    })

    const send = Effect.fnUntraced(function* (
      { device }: PushTarget,
      keys: ReadonlyMap<string, SigningKey>,
      message: ReturnType<typeof messageOf>
    ) {
      const key = keys.get(device.keyId)
      // The secret is no longer configured, so the browser accepts nothing until it subscribes again.
      if (key === undefined) return "GONE" as const
      const { auth, endpoint, p256dh } = device
      return yield* sender.send({ endpoint, p256dh, auth, key, subject, ttlSeconds, ...message }).pipe(
        Effect.map(resultOf),
        Effect.catch(({ problem }) => Effect.as(Effect.logDebug("A push was not sent", { problem }), "FAILED" as const))
      )
    })

    const sendAll = Effect.fnUntraced(function* (
      { environment, payload: { merchantId } }: Work<Push>,
      lead: Lead,
      targets: ReadonlyArray<PushTarget>,
      count: number
    ) {
      const keys = yield* pushKeys
      const message = messageOf(lead, merchantId, count)
      const results = new Map<string, PushResult>(targets.map(({ device }) => [device.id, "FAILED"]))
      yield* Effect.forEach(
        targets,
        (target) => Effect.map(send(target, keys, message), (result) => results.set(target.device.id, result)),
        { concurrency: atOnce, discard: true }
      ).pipe(Effect.timeoutOption(sendWithin))
      const gone = new Set([...results].flatMap(([id, result]) => (result === "GONE" ? [id] : [])))
      if (gone.size > 0) yield* forget(merchantId, gone)
      const failed = [...results.values()].filter((result) => result === "FAILED").length
      if (failed > 0)
        yield* Effect.logWarning("Push services did not accept some notifications", { environment, failed })
      return [...results.values()]
    })

    const decide = Effect.fnUntraced(function* ({ environment, payload }: Work<Push>) {
      const { leadId, merchantId } = payload
      const record = yield* merchants.environment(environment)
      const isOpen = sender.isOffered && record?.merchant.status === "ACTIVE"
      const lead = isOpen ? yield* leads.get(environment, leadId) : null
      const { agents } = lead === null ? { agents: [] } : yield* staff.staff(merchantId)
      const viewers = lead === null ? [] : yield* presences.list(environment, leadId)
      const now = yield* Clock.currentTimeMillis
      return { lead, now, step: nextPush({ lead, agents, viewers, state: payload }, now) }
    })

    const work = Effect.fnUntraced(function* (job: Work<Push>) {
      const { lead, now, step } = yield* decide(job)
      if (step._tag === "Later") return later(step.at, "a push was sent within the last minute")
      if (lead === null) return completed
      if (step._tag === "End") {
        // A message that arrives now changes the lead and finds this job: then the job decides again.
        yield* commitLead(LeadStore.change({ leads: [lead], done: job }))
        return committed
      }
      const runAt = now + betweenPushes
      const state: Push = { ...job.payload, ...recorded(job.payload, now) }
      const reason = "a push is being sent"
      // A process that dies from here on leaves the record, and the next try comes a minute later.
      const isOurs = yield* jobStore.retry(job, { runAt, reason, failures: job.failures, payload: state })
      if (!isOurs) return committed
      const results = yield* sendAll(job, lead, step.targets, step.count)
      return later(runAt, "a push was sent", { ...state, ...pushed(state, lead, results) })
    })

    yield* jobs.handle(pushKind, (job) => untilCommitted(work(job)))
  })
)
