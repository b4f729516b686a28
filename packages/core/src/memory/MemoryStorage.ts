import { Context, Effect, Layer, PubSub } from "effect"
import { AttributionStore } from "../engagement/attribution/AttributionStore.ts"
import type { Touch } from "../engagement/attribution/Touch.ts"
import { BalanceStore } from "../account/billing/BalanceStore.ts"
import { AuditStore } from "../account/audit/AuditStore.ts"
import { CampaignStore } from "../engagement/campaign/CampaignStore.ts"
import { EventStore } from "../foundation/event/EventStore.ts"
import { IdempotencyStore } from "../foundation/idempotency/IdempotencyStore.ts"
import { WindowStore } from "../foundation/limit/WindowStore.ts"
import { LeadStore } from "../engagement/lead/LeadStore.ts"
import { PresenceStore } from "../engagement/lead/Presence.ts"
import { LabelStore } from "../engagement/lead/Label.ts"
import { SavedReplyStore } from "../engagement/lead/SavedReply.ts"
import { RefusalStore } from "../data/search/RefusalStore.ts"
import { KeyStore } from "../account/merchant/KeyStore.ts"
import { StatStore } from "../account/stat/StatStore.ts"
import { DeploymentStore } from "../account/merchant/DeploymentStore.ts"
import { FingerprintStore } from "../foundation/secret/FingerprintStore.ts"
import { MerchantStore } from "../account/merchant/MerchantStore.ts"
import { TripStore } from "../auth/verification/TripStore.ts"
import { makeTripStore } from "./MemoryTripStore.ts"
import { NumberStore } from "../account/number/NumberStore.ts"
import { OptOutStore } from "../engagement/optOut/OptOutStore.ts"
import { FactStore } from "../foundation/outbox/FactStore.ts"
import { JobStore } from "../foundation/outbox/JobStore.ts"
import { OutboxStore } from "../foundation/outbox/OutboxStore.ts"
import { PasskeyStore } from "../auth/staff/PasskeyStore.ts"
import { SubjectStore } from "../auth/staff/SubjectStore.ts"
import { StaffStore } from "../auth/staff/StaffStore.ts"
import type { Storage } from "../Storage.ts"
import { StorageHealth } from "../foundation/storage/StorageHealth.ts"
import { SenderIdStore } from "../message/template/SenderIdStore.ts"
import { TemplateStore } from "../message/template/TemplateStore.ts"
import { ClockStore } from "../foundation/storage/ClockStore.ts"
import { VerificationStore } from "../auth/verification/VerificationStore.ts"
import type { WebhookAttempt } from "../account/webhook/WebhookAttempt.ts"
import { HookStore } from "../auth/hook/HookStore.ts"
import { WebhookStore } from "../account/webhook/WebhookStore.ts"
import { ErasureStore } from "../data/erasure/ErasureStore.ts"
import { makeAttributionStore } from "./MemoryAttributionStore.ts"
import { MemoryAudit } from "./MemoryAuditStore.ts"
import { MemoryBalances } from "./MemoryBalances.ts"
import { makeBalanceStore } from "./MemoryBalanceStore.ts"
import { makeClockStore } from "./MemoryClockStore.ts"
import { makeCampaignStore } from "./MemoryCampaignStore.ts"
import { makeErasureStore } from "./MemoryErasureStore.ts"
import { MemoryEvents } from "./MemoryEventStore.ts"
import { MemoryFacts } from "./MemoryFactStore.ts"
import { makeDeploymentStore } from "./MemoryDeploymentStore.ts"
import { makeFingerprintStore } from "./MemoryFingerprintStore.ts"
import { type IdempotencyRows, makeIdempotencyStore } from "./MemoryIdempotencyStore.ts"
import { MemoryJobs } from "./MemoryJobStore.ts"
import { makeMerchantStores } from "./MemoryMerchantStore.ts"
import { makeLeadRows, makeLeadStore } from "./MemoryLeadStore.ts"
import { makePasskeyStore, makeSubjectStore } from "./MemoryPasskeyStore.ts"
import { makeNumberStore } from "./MemoryNumberStore.ts"
import { makeOptOutStore } from "./MemoryOptOutStore.ts"
import { MemoryOutbox } from "./MemoryOutbox.ts"
import { makeMemoryAgents, makeStaffStore } from "./MemoryStaffStore.ts"
import { makePresenceStore } from "./MemoryPresenceStore.ts"
import { makeRefusalStore } from "./MemoryRefusalStore.ts"
import { makeLabelStore } from "./MemoryLabelStore.ts"
import { makeSavedReplyStore } from "./MemorySavedReplyStore.ts"
import { makeSenderIdStore, makeTemplateStore } from "./MemoryTemplateStore.ts"
import { makeVerificationRows, makeVerificationStore } from "./MemoryVerificationStore.ts"
import { makeStatStore } from "./MemoryStatStore.ts"
import { makeHookStore } from "./MemoryHookStore.ts"
import { makeWebhookStore } from "./MemoryWebhookStore.ts"
import { makeWindowStore } from "./MemoryWindowStore.ts"

const make = Effect.gen(function* () {
  const events = new MemoryEvents()
  const jobs = new MemoryJobs(yield* PubSub.sliding<void>(1))
  const facts = new MemoryFacts()
  const audit = new MemoryAudit()
  const agents = makeMemoryAgents()
  const people = makeVerificationRows()
  const leads = makeLeadRows()
  const answers: IdempotencyRows = new Map()
  const touches = new Map<string, Touch>()
  const attempts = new Map<string, WebhookAttempt>()
  const balances = new MemoryBalances()
  const outbox = new MemoryOutbox({ events, jobs, facts, audit, balances })
  const { keys, merchants } = makeMerchantStores(outbox)
  return Context.mergeAll(
    Context.make(OutboxStore, outbox.service),
    Context.make(EventStore, events.service),
    Context.make(JobStore, jobs.service),
    Context.make(FactStore, facts.service),
    Context.make(AuditStore, audit.service),
    Context.make(MerchantStore, merchants),
    Context.make(KeyStore, keys),
    Context.make(IdempotencyStore, makeIdempotencyStore(answers)),
    Context.make(WindowStore, makeWindowStore()),
    Context.make(WebhookStore, makeWebhookStore(outbox, jobs, attempts)),
    Context.make(HookStore, makeHookStore(outbox)),
    Context.make(VerificationStore, makeVerificationStore(outbox, people)),
    Context.make(NumberStore, makeNumberStore(outbox)),
    Context.make(TripStore, makeTripStore(outbox)),
    Context.make(LeadStore, makeLeadStore(outbox, agents, leads)),
    Context.make(StaffStore, makeStaffStore(outbox, agents, merchants)),
    Context.make(SavedReplyStore, makeSavedReplyStore()),
    Context.make(LabelStore, makeLabelStore(outbox)),
    Context.make(PresenceStore, makePresenceStore()),
    Context.make(TemplateStore, makeTemplateStore(outbox)),
    Context.make(SenderIdStore, makeSenderIdStore(outbox)),
    Context.make(AttributionStore, makeAttributionStore(outbox, touches)),
    Context.make(CampaignStore, makeCampaignStore(outbox)),
    Context.make(OptOutStore, makeOptOutStore(outbox)),
    Context.make(PasskeyStore, makePasskeyStore(outbox)),
    Context.make(SubjectStore, makeSubjectStore(outbox)),
    Context.make(
      ErasureStore,
      makeErasureStore(outbox, { events, jobs, facts, people, leads, answers, touches, attempts })
    ),
    Context.make(BalanceStore, makeBalanceStore(outbox, balances)),
    Context.make(StatStore, makeStatStore(outbox, facts)),
    Context.make(RefusalStore, makeRefusalStore(outbox)),
    Context.make(FingerprintStore, makeFingerprintStore()),
    Context.make(DeploymentStore, makeDeploymentStore()),
    Context.make(ClockStore, makeClockStore(jobs)),
    Context.make(StorageHealth, { check: Effect.void, oldestTransaction: Effect.succeed(0) })
  )
})

/**
 * Every store in this process's memory: for tests and trials. It keeps the promises of the ports, except that all data
 * is lost when the process ends. Each build of the layer is a separate storage.
 *
 * @example
 * ```ts
 * import { MemoryStorage } from "@countersign/core/memory"
 * import { VerificationStore } from "@countersign/core/storage"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const store = yield* VerificationStore
 *   return yield* store.subject("env_1", "919876543210") // version 0: this person is new
 * }).pipe(Effect.provide(MemoryStorage.layer))
 * ```
 */
export const layer: Layer.Layer<Storage> = Layer.effectContext(make)
