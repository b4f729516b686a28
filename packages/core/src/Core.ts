import { Layer, type Redacted } from "effect"
import { type Channel, Channels } from "./delivery/Channel.ts"
import { Senders } from "./delivery/Senders.ts"
import { Idempotency } from "./idempotency/Idempotency.ts"
import { Jobs } from "./job/Jobs.ts"
import type { StoragePorts } from "./memory/MemoryStorage.ts"
import { Merchants } from "./merchant/Merchants.ts"
import { type InvalidSecret, Keyring } from "./secret/Keyring.ts"
import { Tokens } from "./secret/Tokens.ts"
import * as CodeSender from "./verification/CodeSender.ts"
import { Committer } from "./verification/Committer.ts"
import { Receipts } from "./verification/Receipts.ts"
import { Verifications } from "./verification/Verifications.ts"

/** Every port that a storage adapter binds. */
export type Storage = StoragePorts

/** Every service of the core. */
export type Services = Verifications | Receipts | Merchants | Idempotency | Tokens | Keyring | Channels

export interface Options {
  /** The master secret: 32 bytes as base64url or hex. */
  readonly secret: Redacted.Redacted
  /** Older master secrets, whose codes and tokens are still accepted. */
  readonly previousSecrets?: ReadonlyArray<Redacted.Redacted> | undefined
  /** Where the service is reached from outside: the issuer of tokens. */
  readonly publicUrl: string
  readonly channels: ReadonlyArray<Channel>
}

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
  Layer.mergeAll(Verifications.layerNoDeps, Receipts.layerNoDeps, Idempotency.layer, CodeSender.layer).pipe(
    Layer.provide(Committer.layer),
    Layer.provide(Senders.layer),
    Layer.provideMerge(Merchants.layer),
    Layer.provide(Jobs.layer),
    Layer.provideMerge(Tokens.layer({ issuer: options.publicUrl })),
    Layer.provideMerge(Keyring.layer({ secret: options.secret, previous: options.previousSecrets })),
    Layer.provideMerge(Channels.layer(options.channels))
  )
