import type { AttributionStore } from "./attribution/AttributionStore.ts"
import type { AuditStore } from "./audit/AuditStore.ts"
import type { BalanceStore } from "./billing/BalanceStore.ts"
import type { CampaignStore } from "./campaign/CampaignStore.ts"
import type { DeploymentStore } from "./merchant/DeploymentStore.ts"
import type { ErasureStore } from "./erasure/ErasureStore.ts"
import type { EventStore } from "./event/EventStore.ts"
import type { IdempotencyStore } from "./idempotency/IdempotencyStore.ts"
import type { WindowStore } from "./limit/WindowStore.ts"
import type { LeadStore } from "./lead/LeadStore.ts"
import type { PresenceStore } from "./lead/Presence.ts"
import type { SavedReplyStore } from "./lead/SavedReply.ts"
import type { RefusalStore } from "./search/RefusalStore.ts"
import type { KeyStore } from "./merchant/KeyStore.ts"
import type { MerchantStore } from "./merchant/MerchantStore.ts"
import type { FactStore } from "./outbox/FactStore.ts"
import type { NumberStore } from "./number/NumberStore.ts"
import type { JobStore } from "./outbox/JobStore.ts"
import type { OptOutStore } from "./optOut/OptOutStore.ts"
import type { OutboxStore } from "./outbox/OutboxStore.ts"
import type { PasskeyStore } from "./person/PasskeyStore.ts"
import type { PersonStore } from "./person/PersonStore.ts"
import type { SubjectStore } from "./person/SubjectStore.ts"
import type { FingerprintStore } from "./secret/FingerprintStore.ts"
import type { StatStore } from "./stat/StatStore.ts"
import type { StorageHealth } from "./storage/StorageHealth.ts"
import type { SenderIdStore } from "./template/SenderIdStore.ts"
import type { TemplateStore } from "./template/TemplateStore.ts"
import type { ClockStore } from "./storage/ClockStore.ts"
import type { VerificationStore } from "./verification/VerificationStore.ts"
import type { WebhookStore } from "./webhook/WebhookStore.ts"

/**
 * Every port that keeps something. A storage provides all of them, because one change writes through several. A new
 * store is a line here, and does not compile until memory and Postgres have it too.
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
  | VerificationStore
  | NumberStore
  | LeadStore
  | SavedReplyStore
  | PresenceStore
  | TemplateStore
  | SenderIdStore
  | PersonStore
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
