/**
 * What a storage adapter is written with: the port of each store, and what is written through it.
 */
export type { Storage } from "./Storage.ts"
export { AttributionStore } from "./engagement/attribution/AttributionStore.ts"
export type { Launch } from "./engagement/attribution/Launch.ts"
export type { Touch } from "./engagement/attribution/Touch.ts"
export type { First, Trail } from "./engagement/attribution/Trail.ts"
export { AuditStore } from "./account/audit/AuditStore.ts"
export { type Balance, emptyBalance, type Funds } from "./account/billing/Balance.ts"
export { noPrices } from "./account/billing/Till.ts"
export { BalanceStore } from "./account/billing/BalanceStore.ts"
export { type Booking, isMoney, mostMoney } from "./foundation/outbox/Booking.ts"
export { type Campaign, noProgress } from "./engagement/campaign/Campaign.ts"
export { CampaignStore } from "./engagement/campaign/CampaignStore.ts"
export { StorageShare } from "./foundation/storage/StorageShare.ts"
export * as Recipient from "./engagement/campaign/Recipient.ts"
export { type OptOut, OptOutStore } from "./engagement/optOut/OptOutStore.ts"
export * as Erasure from "./data/erasure/Erasure.ts"
export { ErasureStore } from "./data/erasure/ErasureStore.ts"
export { EventStore } from "./foundation/event/EventStore.ts"
export { IdempotencyStore } from "./foundation/idempotency/IdempotencyStore.ts"
export { auditEntry, type AuditEntry, byItself, nameOf as actorName } from "./foundation/outbox/AuditEntry.ts"
export { leavesNothing, type Outgoing, type Unbooked } from "./foundation/outbox/Change.ts"
export { makeFoldSome } from "./account/stat/foldSome.ts"
export { counted, refused } from "./account/stat/statFacts.ts"
export { countsOf } from "./auth/verification/countsOf.ts"
export type { StatBucket, StatPlace } from "./account/stat/StatBucket.ts"
export { StatStore } from "./account/stat/StatStore.ts"
export type { Fact } from "./foundation/outbox/Fact.ts"
export { FactStore } from "./foundation/outbox/FactStore.ts"
export * as Job from "./foundation/outbox/Job.ts"
export { JobStore } from "./foundation/outbox/JobStore.ts"
export { makeTransactionAge } from "./foundation/storage/transactionAge.ts"
export { makeOverdueJobs } from "./foundation/outbox/overdueJobs.ts"
export { OutboxStore } from "./foundation/outbox/OutboxStore.ts"
export type { Lead, LeadEntry } from "./engagement/lead/Lead.ts"
export type { LeadMessage } from "./engagement/lead/LeadMessage.ts"
export {
  type Known,
  type LeadChange,
  leadChange,
  type LeadFilter,
  type LeadParts,
  type LeadPlace,
  LeadStore
} from "./engagement/lead/LeadStore.ts"
export { type Presence, PresenceStore } from "./engagement/lead/Presence.ts"
export { type SavedReply, SavedReplyStore } from "./engagement/lead/SavedReply.ts"
export { searchWords } from "./engagement/lead/searchWords.ts"
export type { Team } from "./auth/person/Team.ts"
export * as ClockRecord from "./foundation/time/ClockRecord.ts"
export { ClockStore } from "./foundation/storage/ClockStore.ts"
export * as Timekeeper from "./foundation/storage/Timekeeper.ts"
export * as Window from "./foundation/limit/Window.ts"
export { WindowStore } from "./foundation/limit/WindowStore.ts"
export { KeyStore } from "./account/merchant/KeyStore.ts"
export { MerchantStore } from "./account/merchant/MerchantStore.ts"
export type { ConnectedNumber } from "./account/number/ConnectedNumber.ts"
export { NumberStore } from "./account/number/NumberStore.ts"
export { type Agent, isActive } from "./auth/person/Agent.ts"
export type { Passkey } from "./auth/person/Passkey.ts"
export { type PasskeyChange, PasskeyStore } from "./auth/person/PasskeyStore.ts"
export { type Membership, type Staff, type StaffChange, staffChange, StaffStore } from "./auth/person/StaffStore.ts"
export { type KnownSubject, type SubjectChange, SubjectStore } from "./auth/person/SubjectStore.ts"
export type { Session } from "./auth/person/Session.ts"
export type { SignInLink } from "./auth/person/SignInLink.ts"
export {
  againAfterRestore,
  endedByRestore,
  kindsToPeople,
  restoredEntry,
  stoppedByRestore,
  subjectAfterRestore
} from "./data/restore/afterRestore.ts"
export { DeploymentStore } from "./account/merchant/DeploymentStore.ts"
export { FingerprintStore } from "./foundation/secret/FingerprintStore.ts"
export { Conflict } from "./foundation/storage/Conflict.ts"
export { Contended } from "./foundation/storage/Contended.ts"
export { StorageHealth } from "./foundation/storage/StorageHealth.ts"
export { logStoreError } from "./foundation/storage/logStoreError.ts"
export { StoreError } from "./foundation/storage/StoreError.ts"
export { type SenderId, SenderIdStore } from "./message/template/SenderIdStore.ts"
export {
  slotOf,
  type StoredTemplate,
  type TemplateContent,
  type TemplateHead
} from "./message/template/StoredTemplate.ts"
export { TemplateStore } from "./message/template/TemplateStore.ts"
export { changeOf, type VerificationChange } from "./auth/verification/VerificationChange.ts"
export type { Refusal } from "./data/search/Refusal.ts"
export { RefusalStore } from "./data/search/RefusalStore.ts"
export * as Subject from "./auth/verification/Subject.ts"
export { searched } from "./data/search/searched.ts"
export * as VerificationSearch from "./auth/verification/VerificationSearch.ts"
export type { Searched, SearchFilter, SearchPage } from "./auth/verification/VerificationSearch.ts"
export { VerificationStore } from "./auth/verification/VerificationStore.ts"
export { WebhookStore } from "./account/webhook/WebhookStore.ts"
