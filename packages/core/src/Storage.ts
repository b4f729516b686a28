import type { AttributionStore } from "./engagement/attribution/AttributionStore.ts"
import type { AuditStore } from "./account/audit/AuditStore.ts"
import type { BalanceStore } from "./account/billing/BalanceStore.ts"
import type { CampaignStore } from "./engagement/campaign/CampaignStore.ts"
import type { DeploymentStore } from "./account/merchant/DeploymentStore.ts"
import type { ErasureStore } from "./data/erasure/ErasureStore.ts"
import type { EventStore } from "./foundation/event/EventStore.ts"
import type { IdempotencyStore } from "./foundation/idempotency/IdempotencyStore.ts"
import type { WindowStore } from "./foundation/limit/WindowStore.ts"
import type { LabelStore } from "./engagement/lead/Label.ts"
import type { LeadStore } from "./engagement/lead/LeadStore.ts"
import type { PresenceStore } from "./engagement/lead/Presence.ts"
import type { SavedReplyStore } from "./engagement/lead/SavedReply.ts"
import type { RefusalStore } from "./data/search/RefusalStore.ts"
import type { KeyStore } from "./account/merchant/KeyStore.ts"
import type { MerchantStore } from "./account/merchant/MerchantStore.ts"
import type { FactStore } from "./foundation/outbox/FactStore.ts"
import type { TripStore } from "./auth/verification/TripStore.ts"
import type { NumberStore } from "./account/number/NumberStore.ts"
import type { JobStore } from "./foundation/outbox/JobStore.ts"
import type { OptOutStore } from "./engagement/optOut/OptOutStore.ts"
import type { HookStore } from "./auth/hook/HookStore.ts"
import type { OutboxStore } from "./foundation/outbox/OutboxStore.ts"
import type { PasskeyStore } from "./auth/staff/PasskeyStore.ts"
import type { StaffStore } from "./auth/staff/StaffStore.ts"
import type { SubjectStore } from "./auth/staff/SubjectStore.ts"
import type { FingerprintStore } from "./foundation/secret/FingerprintStore.ts"
import type { StatStore } from "./account/stat/StatStore.ts"
import type { StorageHealth } from "./foundation/storage/StorageHealth.ts"
import type { SenderIdStore } from "./message/template/SenderIdStore.ts"
import type { TemplateStore } from "./message/template/TemplateStore.ts"
import type { ClockStore } from "./foundation/storage/ClockStore.ts"
import type { VerificationStore } from "./auth/verification/VerificationStore.ts"
import type { WebhookStore } from "./account/webhook/WebhookStore.ts"

/**
 * Every storage port. A storage provides all of them, because one change writes through several. To add a store, add a
 * line here; memory and Postgres then fail to compile until they have it too.
 */
export type Storage =
  | OutboxStore
  | EventStore
  | JobStore
  | FactStore
  | AuditStore
  | MerchantStore
  | KeyStore
  | IdempotencyStore
  | WindowStore
  | WebhookStore
  | HookStore
  | VerificationStore
  | NumberStore
  | TripStore
  | LeadStore
  | SavedReplyStore
  | LabelStore
  | PresenceStore
  | TemplateStore
  | SenderIdStore
  | StaffStore
  | PasskeyStore
  | SubjectStore
  | AttributionStore
  | CampaignStore
  | OptOutStore
  | ErasureStore
  | BalanceStore
  | StatStore
  | RefusalStore
  | FingerprintStore
  | DeploymentStore
  | ClockStore
  | StorageHealth
