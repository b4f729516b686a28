/**
 * What a storage adapter is written with: the port of each store, and what is written through it.
 */
export type { Storage } from "./Storage.ts"
export {
  type AttributionChange,
  attributionChange,
  AttributionStore,
  type Sum,
  type SumPage
} from "./attribution/AttributionStore.ts"
export type { Launch, Origin } from "./attribution/Launch.ts"
export type { Touch } from "./attribution/Touch.ts"
export type { First, Trail } from "./attribution/Trail.ts"
export { type AuditFilter, AuditStore } from "./audit/AuditStore.ts"
export { type Balance, emptyBalance, type Funds } from "./billing/Balance.ts"
export { noPrices } from "./billing/Till.ts"
export { type BalanceChange, balanceChange, BalanceStore, type LedgerEntry } from "./billing/BalanceStore.ts"
export { type Booking, isMoney, mostMoney } from "./outbox/Booking.ts"
export { type Campaign, noProgress } from "./campaign/Campaign.ts"
export { campaignJob } from "./campaign/campaignJobs.ts"
export { type CampaignChange, campaignChange, type CampaignParts, CampaignStore } from "./campaign/CampaignStore.ts"
export { StorageShare } from "./storage/StorageShare.ts"
export * as Recipient from "./campaign/Recipient.ts"
export { type OptOut, type OptOutChange, optOutChange, OptOutStore } from "./optOut/OptOutStore.ts"
export * as Erasure from "./erasure/Erasure.ts"
export {
  type AnswerKey,
  type ErasureChange,
  erasureChange,
  ErasureStore,
  type GoneVerification,
  type PersonPlace,
  type SealedAnswer,
  type Somebody
} from "./erasure/ErasureStore.ts"
export { type EventPage, EventStore } from "./event/EventStore.ts"
export {
  type IdempotencyRecord,
  type IdempotencyScope,
  IdempotencyStore,
  type Taken,
  type KeptAnswer
} from "./idempotency/IdempotencyStore.ts"
export { auditEntry, type AuditEntry, byItself, nameOf as actorName, operator } from "./outbox/AuditEntry.ts"
export { type Change, leavesNothing, type Outgoing, type Unbooked } from "./outbox/Change.ts"
export { Fresh } from "./outbox/Fresh.ts"
export { makeFoldSome } from "./stat/foldSome.ts"
export { counted, refused } from "./stat/statFacts.ts"
export { countsOf } from "./verification/countsOf.ts"
export type { StatChange } from "./stat/fold.ts"
export type { StatBucket, StatPlace } from "./stat/StatBucket.ts"
export { type StatPage, type StatRead, StatStore } from "./stat/StatStore.ts"
export type { Fact } from "./outbox/Fact.ts"
export * as FactKind from "./outbox/FactKind.ts"
export { type FactPage, FactStore } from "./outbox/FactStore.ts"
export { Gate } from "./outbox/Gate.ts"
export * as Job from "./outbox/Job.ts"
export * as JobKind from "./outbox/JobKind.ts"
export { type JobOutcome, Jobs, type Work } from "./outbox/Jobs.ts"
export { type ClaimedKind, type GateClaimed, type GateRoom, JobStore, type Retry } from "./outbox/JobStore.ts"
export { makeTransactionAge } from "./storage/transactionAge.ts"
export { makeOverdueJobs } from "./outbox/overdueJobs.ts"
export { Lanes } from "./outbox/Lanes.ts"
export { Outbox } from "./outbox/Outbox.ts"
export { OutboxStore } from "./outbox/OutboxStore.ts"
export { Subscribers } from "./outbox/Subscribers.ts"
export type { Lead, LeadEntry } from "./lead/Lead.ts"
export type { LeadMessage } from "./lead/LeadMessage.ts"
export {
  type Known,
  type LeadChange,
  leadChange,
  type LeadFilter,
  type LeadParts,
  type LeadPlace,
  LeadStore,
  type Staff
} from "./lead/LeadStore.ts"
export { type Presence, PresenceStore } from "./lead/Presence.ts"
export { type SavedReply, SavedReplyStore } from "./lead/SavedReply.ts"
export { searchWords } from "./lead/searchWords.ts"
export type { Team } from "./lead/Team.ts"
export * as ClockRecord from "./time/ClockRecord.ts"
export { ClockStore, type SetBack } from "./storage/ClockStore.ts"
export * as Timekeeper from "./storage/Timekeeper.ts"
export * as Window from "./limit/Window.ts"
export { WindowStore } from "./limit/WindowStore.ts"
export { type EnvironmentKeys, type KeysCommit, KeyStore, type KeyUse } from "./merchant/KeyStore.ts"
export {
  type MerchantChange,
  type MerchantRecord,
  MerchantStore,
  type NewMerchant,
  type SettingsChange
} from "./merchant/MerchantStore.ts"
export type { ConnectedNumber } from "./number/ConnectedNumber.ts"
export { type NumberChange, NumberStore } from "./number/NumberStore.ts"
export { type Agent, isActive } from "./person/Agent.ts"
export type { Passkey } from "./person/Passkey.ts"
export { type PasskeyChange, PasskeyStore } from "./person/PasskeyStore.ts"
export { type PersonChange, personChange, PersonStore, type Post } from "./person/PersonStore.ts"
export { type KnownSubject, type SubjectChange, SubjectStore } from "./person/SubjectStore.ts"
export type { Session } from "./person/Session.ts"
export type { SignInLink } from "./person/SignInLink.ts"
export {
  againAfterRestore,
  endedByRestore,
  kindsToPeople,
  restoredEntry,
  stoppedByRestore,
  subjectAfterRestore
} from "./restore/afterRestore.ts"
export { type DeploymentFact, DeploymentStore } from "./merchant/DeploymentStore.ts"
export { FingerprintStore } from "./secret/FingerprintStore.ts"
export { Conflict } from "./storage/Conflict.ts"
export { Contended } from "./storage/Contended.ts"
export { StorageHealth } from "./storage/StorageHealth.ts"
export { logStoreError } from "./storage/logStoreError.ts"
export { StoreError } from "./storage/StoreError.ts"
export { type SenderId, type SenderIdChange, SenderIdStore } from "./template/SenderIdStore.ts"
export { slotOf, type StoredTemplate, type TemplateContent, type TemplateHead } from "./template/StoredTemplate.ts"
export { type TemplateChange, type TemplatePage, TemplateStore } from "./template/TemplateStore.ts"
export { changeOf, type VerificationChange } from "./verification/VerificationChange.ts"
export type { Refusal } from "./search/Refusal.ts"
export { type RefusalChange, type RefusalPage, RefusalStore } from "./search/RefusalStore.ts"
export * as Subject from "./verification/Subject.ts"
export { searched } from "./search/searched.ts"
export * as VerificationSearch from "./verification/VerificationSearch.ts"
export type { Searched, SearchFilter, SearchPage } from "./verification/VerificationSearch.ts"
export {
  type ExpiredPage,
  type ExpiredVerification,
  type Loaded,
  type Stored,
  VerificationStore
} from "./verification/VerificationStore.ts"
export {
  type AttemptChange,
  attemptChange,
  type AttemptPage,
  type WebhookChange,
  webhookChange,
  WebhookStore
} from "./webhook/WebhookStore.ts"
