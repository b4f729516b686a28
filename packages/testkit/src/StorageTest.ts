import { type Storage, StorageHealth } from "@countersign/core/storage"
import { layer as withLayer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { attributionChecks } from "./storage/attributionChecks.ts"
import { balanceChecks } from "./storage/balanceChecks.ts"
import { erasureChecks } from "./storage/erasureChecks.ts"
import { auditChecks } from "./storage/auditChecks.ts"
import { campaignChecks } from "./storage/campaignChecks.ts"
import { eventChecks } from "./storage/eventChecks.ts"
import { factChecks } from "./storage/factChecks.ts"
import { clockChecks } from "./storage/clockChecks.ts"
import { expiryChecks } from "./storage/expiryChecks.ts"
import { deploymentChecks } from "./storage/deploymentChecks.ts"
import { fingerprintChecks } from "./storage/fingerprintChecks.ts"
import { hostileChecks } from "./storage/hostileChecks.ts"
import { idempotencyChecks } from "./storage/idempotencyChecks.ts"
import { jobChecks } from "./storage/jobChecks.ts"
import { keyChecks } from "./storage/keyChecks.ts"
import { leadChecks } from "./storage/leadChecks.ts"
import { leadListChecks } from "./storage/leadListChecks.ts"
import { merchantChecks } from "./storage/merchantChecks.ts"
import { commitChecks } from "./storage/commitChecks.ts"
import { labelChecks } from "./storage/labelChecks.ts"
import { numberChecks, savedReplyChecks } from "./storage/numberChecks.ts"
import { optOutChecks } from "./storage/optOutChecks.ts"
import { outboxChecks } from "./storage/outboxChecks.ts"
import { statChecks } from "./storage/statChecks.ts"
import { templateChecks } from "./storage/templateChecks.ts"
import { staffChecks } from "./storage/staffChecks.ts"
import { presenceChecks } from "./storage/presenceChecks.ts"
import { refusalChecks } from "./storage/refusalChecks.ts"
import { searchChecks } from "./storage/searchChecks.ts"
import { signInChecks } from "./storage/signInChecks.ts"
import { promise, type StorageCheck } from "./storage/StorageCheck.ts"
import { tripChecks } from "./storage/tripChecks.ts"
import { verificationChecks } from "./storage/verificationChecks.ts"
import { hookChecks } from "./storage/hookChecks.ts"
import { webhookChecks } from "./storage/webhookChecks.ts"
import { windowChecks } from "./storage/windowChecks.ts"

export type { StorageCheck } from "./storage/StorageCheck.ts"

/** The promises of every storage, by port. A check needs only the ports, so it also runs outside of a test. */
export const checks: { readonly [port: string]: ReadonlyArray<StorageCheck> } = {
  VerificationStore: [...verificationChecks, ...expiryChecks, ...searchChecks],
  OutboxStore: [...outboxChecks, ...commitChecks],
  EventStore: eventChecks,
  JobStore: jobChecks,
  FactStore: factChecks,
  AuditStore: auditChecks,
  MerchantStore: merchantChecks,
  KeyStore: keyChecks,
  IdempotencyStore: idempotencyChecks,
  WebhookStore: webhookChecks,
  HookStore: hookChecks,
  WindowStore: windowChecks,
  LeadStore: [...leadChecks, ...leadListChecks],
  NumberStore: numberChecks,
  TripStore: tripChecks,
  SavedReplyStore: savedReplyChecks,
  LabelStore: labelChecks,
  PresenceStore: presenceChecks,
  TemplateStore: templateChecks,
  StaffStore: staffChecks,
  "PasskeyStore and SubjectStore": signInChecks,
  AttributionStore: attributionChecks,
  ErasureStore: erasureChecks,
  BalanceStore: balanceChecks,
  CampaignStore: campaignChecks,
  OptOutStore: optOutChecks,
  StatStore: statChecks,
  RefusalStore: refusalChecks,
  FingerprintStore: fingerprintChecks,
  DeploymentStore: deploymentChecks,
  ClockStore: clockChecks,
  StorageHealth: [
    promise(
      "a working storage is healthy",
      Effect.flatMap(StorageHealth, ({ check }) => check)
    )
  ],
  "hostile text": hostileChecks
}

/**
 * Tests that a storage keeps every promise of its ports, also when hundreds of callers race. The storage may hold other
 * data: each check uses its own environments.
 *
 * @example
 * ```ts
 * import { MemoryStorage } from "@countersign/core/memory"
 * import { StorageTest } from "@countersign/testkit"
 *
 * StorageTest.suite("memory", MemoryStorage.layer)
 * ```
 */
export const suite = <E>(name: string, storage: Layer.Layer<Storage, E>): void =>
  withLayer(storage, { excludeTestServices: true, timeout: "3 minutes" })(name, (it) => {
    for (const [port, list] of Object.entries(checks)) {
      for (const { check, promise } of list) it.effect(`${port}: ${promise}`, () => check, 180_000)
    }
  })
