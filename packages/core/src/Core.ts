import { Layer, type Redacted } from "effect"
import { type Channel, Channels } from "./delivery/Channel.ts"
import { InboundListener } from "./delivery/InboundListener.ts"
import { Receipts } from "./delivery/Receipts.ts"
import { Senders } from "./delivery/Senders.ts"
import { Idempotency } from "./idempotency/Idempotency.ts"
import { Jobs } from "./outbox/Jobs.ts"
import { Outbox } from "./outbox/Outbox.ts"
import { Limits } from "./limit/Limits.ts"
import { Keys } from "./merchant/Keys.ts"
import type { KeyStore } from "./merchant/KeyStore.ts"
import { KeyUses } from "./merchant/KeyUses.ts"
import type { Storage } from "./Storage.ts"
import { Merchants } from "./merchant/Merchants.ts"
import type { MerchantStore } from "./merchant/MerchantStore.ts"
import { type InvalidSecret, Keyring } from "./secret/Keyring.ts"
import { Tokens } from "./secret/Tokens.ts"
import * as CodeSender from "./verification/CodeSender.ts"
import * as ExpirySweep from "./verification/ExpirySweep.ts"
import { SdkSessions } from "./verification/SdkSessions.ts"
import { TrustedDevices } from "./verification/TrustedDevices.ts"
import * as VerificationReceipts from "./verification/VerificationReceipts.ts"
import { VerificationCommands } from "./verification/VerificationCommands.ts"
import { Verifications } from "./verification/Verifications.ts"
import { Subscriptions } from "./webhook/Subscriptions.ts"
import { WebhookDeliveries } from "./webhook/WebhookDeliveries.ts"
import { Webhooks } from "./webhook/Webhooks.ts"
import { layerNone, type WebhookSender } from "./webhook/WebhookSender.ts"

/** Every service of the core. */
export type Services =
  | Verifications
  | SdkSessions
  | TrustedDevices
  | Receipts
  | Webhooks
  | Merchants
  | Keys
  | Idempotency
  | Tokens
  | Keyring
  | Channels

export interface Options {
  /** The master secret: 32 bytes as base64url or hex. */
  readonly secret: Redacted.Redacted
  /** Older master secrets, whose codes and tokens are still accepted. */
  readonly previousSecrets?: ReadonlyArray<Redacted.Redacted> | undefined
  /** Where the service is reached from outside: the issuer of tokens. */
  readonly publicUrl: string
  readonly channels: ReadonlyArray<Channel>
  /** Who takes what people write to us. Without it nobody does, and it is dropped. */
  readonly inbound?: Layer.Layer<InboundListener> | undefined
  /** What carries webhooks. Without it no endpoint can be registered. */
  readonly webhooks?: Layer.Layer<WebhookSender> | undefined
}

/** What people ask for: from a merchant's backend, from an app, from the dashboard; and what providers report. */
const foreground = Layer.mergeAll(Verifications.layerNoDeps, SdkSessions.layerNoDeps).pipe(
  Layer.provide(VerificationCommands.layer),
  Layer.merge(
    Layer.mergeAll(TrustedDevices.layerNoDeps, Webhooks.layerNoDeps, Idempotency.layer, VerificationReceipts.layer)
  )
)

/** What is done behind their backs. */
const background = Layer.mergeAll(CodeSender.layer, ExpirySweep.layer)

/** Merchants and their keys alone: what an operator's command needs. */
export const merchants: Layer.Layer<Keys | Merchants, never, KeyStore | MerchantStore> = Keys.layer.pipe(
  Layer.provideMerge(Merchants.layer),
  Layer.provide(KeyUses.layer)
)

/** The whole core over some storage, with somebody else's `Jobs`. */
export const layerNoJobs = (options: Options): Layer.Layer<Services, InvalidSecret, Storage | Jobs> =>
  Layer.merge(foreground, background).pipe(
    Layer.provide(WebhookDeliveries.layer),
    Layer.provide(Outbox.layer),
    Layer.provide(Layer.mergeAll(Subscriptions.layer, Limits.layer, Senders.layer, options.webhooks ?? layerNone)),
    Layer.provideMerge(merchants),
    Layer.provideMerge(Tokens.layer({ issuer: options.publicUrl })),
    Layer.provideMerge(Keyring.layer({ secret: options.secret, previous: options.previousSecrets })),
    Layer.provideMerge(Receipts.layerNoDeps),
    Layer.provide(options.inbound ?? InboundListener.layerNone),
    Layer.provideMerge(Channels.layer(options.channels))
  )

/**
 * The whole core over some storage, with its background work.
 *
 * @example
 * ```ts
 * import { Core, MemoryStorage } from "@countersign/core"
 * import { Layer, Redacted } from "effect"
 *
 * const layer = Core.layer({
 *   secret: Redacted.make("00".repeat(32)),
 *   publicUrl: "https://verify.example.com",
 *   channels: []
 * }).pipe(Layer.provideMerge(MemoryStorage.layer))
 * ```
 */
export const layer = (options: Options): Layer.Layer<Services, InvalidSecret, Storage> =>
  layerNoJobs(options).pipe(Layer.provide(Jobs.layer))
