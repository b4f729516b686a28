import { Effect, Layer, type Redacted } from "effect"
import * as Attention from "./data/attention/layer.ts"
import * as Attribution from "./engagement/attribution/layer.ts"
import { Audit } from "./account/audit/Audit.ts"
import { ListExports } from "./account/audit/ListExports.ts"
import * as BalanceWatch from "./account/billing/BalanceWatch.ts"
import { Currency } from "./account/billing/Currency.ts"
import { Billing } from "./account/billing/Billing.ts"
import { MerchantBilling } from "./account/billing/MerchantBilling.ts"
import * as Campaign from "./engagement/campaign/layer.ts"
import * as CampaignAnswers from "./engagement/campaign/campaignAnswers.ts"
import type { DeploymentDiffers } from "./account/merchant/deploymentFact.ts"
import { BulkPerSecond } from "./message/sending/Bulk.ts"
import { CaptchaCheck, type CheckCaptcha } from "./foundation/guard/CaptchaCheck.ts"
import type { Channel } from "./foundation/delivery/Channel.ts"
import { type CarrierOptions, Channels, nameable } from "./foundation/delivery/Channels.ts"
import type { LineInfo } from "./foundation/delivery/LineInfo.ts"
import { LinkAddress } from "./foundation/delivery/LinkAddress.ts"
import { type NumberVerifier, NumberVerifiers } from "./foundation/delivery/NumberVerifier.ts"
import { Receipts } from "./message/sending/Receipts.ts"
import { Senders } from "./message/sending/Senders.ts"
import * as Erasure from "./data/erasure/layer.ts"
import { ExampleDays } from "./data/example/ExampleDays.ts"
import * as Retention from "./data/erasure/Retention.ts"
import { Idempotency } from "./foundation/idempotency/Idempotency.ts"
import * as Inbox from "./engagement/lead/Inbox.ts"
import * as Lead from "./engagement/lead/layer.ts"
import { Limits } from "./foundation/limit/Limits.ts"
import { type BilledBy, BillingRules } from "./account/merchant/BillingRules.ts"
import * as Merchant from "./account/merchant/layer.ts"
import { SettableChannels } from "./account/merchant/SettableChannels.ts"
import { SettingsAdvice } from "./account/merchant/SettingsAdvice.ts"
import { Numbers } from "./account/number/Numbers.ts"
import { Jobs } from "./foundation/outbox/Jobs.ts"
import * as OptOut from "./engagement/optOut/layer.ts"
import { OptOuts } from "./engagement/optOut/OptOuts.ts"
import { Outbox } from "./foundation/outbox/Outbox.ts"
import * as People from "./data/people/layer.ts"
import * as Staff from "./auth/staff/layer.ts"
import type { IdentityProvider } from "./auth/staff/IdentityProvider.ts"
import type { PasskeyVerifier } from "./auth/staff/PasskeyVerifier.ts"
import { PasskeyRule } from "./account/merchant/PasskeyRule.ts"
import { passkeyRule } from "./engagement/lead/passkeyRule.ts"
import { SignInMeans } from "./auth/staff/SignInMeans.ts"
import * as Search from "./data/search/layer.ts"
import { type InvalidSecret, Keyring } from "./foundation/secret/Keyring.ts"
import * as SecretFingerprint from "./foundation/secret/SecretFingerprint.ts"
import { Tokens } from "./foundation/secret/Tokens.ts"
import { DeliveryRunner } from "./message/sending/DeliveryRunner.ts"
import * as Stat from "./account/stat/layer.ts"
import type { Contended } from "./foundation/storage/Contended.ts"
import type { StoreError } from "./foundation/storage/StoreError.ts"
import type { Storage } from "./Storage.ts"
import * as Template from "./message/template/layer.ts"
import { TemplateCatalogue } from "./message/template/TemplateCatalogue.ts"
import { TemplateStates } from "./message/template/TemplateStates.ts"
import { Protection } from "./data/protection/Protection.ts"
import * as TripMails from "./data/protection/TripMails.ts"
import { Statistics } from "./account/stat/Statistics.ts"
import { Guard } from "./auth/verification/Guard.ts"
import * as LineLookups from "./auth/verification/LineLookups.ts"
import * as Verification from "./auth/verification/layer.ts"
import { VerificationCommands } from "./auth/verification/VerificationCommands.ts"
import * as Hook from "./auth/hook/layer.ts"
import * as Webhook from "./account/webhook/layer.ts"
import { Subscriptions } from "./account/webhook/Subscriptions.ts"
import * as PushSender from "./engagement/lead/PushSender.ts"
import { layerNone, type WebhookSender } from "./account/webhook/WebhookSender.ts"

/** Only merchants and their keys, for operator commands. */
export const merchants = Merchant.layer.pipe(Layer.provide(BillingRules.layer()), Layer.provide(PasskeyRule.layerNone))

/** Only sign-in links. */
export const invitations = Staff.invitations

/** Merchants' usage, for operator commands. */
export const usage = Stat.usage

/** The hooks of sign-in systems, for operator commands. */
export const hooks = ({
  previousSecrets,
  publicUrl,
  secret
}: Pick<Options, "previousSecrets" | "publicUrl" | "secret">) =>
  Hook.management.pipe(
    Layer.provide(SecretFingerprint.layer(Keyring.layer({ secret, previous: previousSecrets }))),
    Layer.provide(LinkAddress.layer(publicUrl))
  )

export interface Options {
  /** The master secret: 32 bytes as base64url or hex. */
  readonly secret: Redacted.Redacted
  /** Older master secrets, whose codes and tokens are still accepted. */
  readonly previousSecrets?: ReadonlyArray<Redacted.Redacted> | undefined
  /** The service's public URL, which is also the issuer of tokens. */
  readonly publicUrl: string
  /** Several channels with the same name are the carriers of that channel. */
  readonly channels: ReadonlyArray<Channel>
  /** The order in which a channel's carriers are tried: see `Channels.layer`. */
  readonly carriers?: CarrierOptions | undefined
  /** Providers of facts about phone lines. */
  readonly lineInfo?: ReadonlyArray<LineInfo> | undefined
  /** Which of them tell about which numbers, by name. Without it, their own prefixes decide. */
  readonly lineTable?: LineLookups.LineTable | undefined
  /** How many numbers of an environment each process looks up per hour for the guard; 1000 by default. */
  readonly lineLookupsPerHour?: number | undefined
  /** Providers that verify the ownership of a number. */
  readonly verifiers?: ReadonlyArray<NumberVerifier> | undefined
  /** The base URL of links, when it is not `publicUrl`. Null when neither is configured: then no links are sent. */
  readonly linkUrl?: string | null | undefined
  /** Enables passkeys for the people who work for merchants. */
  readonly passkeys?: PasskeyVerifier | undefined
  /** An OpenID Connect provider for their sign-in. */
  readonly identityProvider?: IdentityProvider | undefined
  /**
   * The currency of prices and balances, as ISO 4217. The first process with a value records it in storage; a process
   * with a different value does not start. Without a value: the recorded currency, or else `INR`.
   */
  readonly currency?: string | undefined
  /**
   * Who tops up, sets prices and turns billing on: the merchants, or only the operator, who runs this process or holds
   * the admin token. The first process with a value records it in storage; a process with the other value does not
   * start. Without a value: the recorded value, or else merchants.
   */
  readonly billedBy?: BilledBy | undefined
  /** Sends webhooks. Without it, registering an endpoint fails. */
  readonly webhooks?: Layer.Layer<WebhookSender> | undefined
  /** Sends push notifications to the browsers of agents. Without it, the dashboard does not offer them. */
  readonly push?: Layer.Layer<PushSender.PushSender> | undefined
  /** How many campaign messages each process sends per second over a channel that states no pace; 50 by default. */
  readonly campaignsPerSecond?: number | undefined
  /** Checks the captcha that the guard's challenges ask apps for. Without it, they ask for a proof of work. */
  readonly checkCaptcha?: CheckCaptcha | undefined
  /** For how many days verifications and events are kept: 1 to 400, 30 by default. */
  readonly retention?: Retention.RetentionOptions | undefined
}

/** Why the core does not start over a storage. */
export type StartError = InvalidSecret | SecretFingerprint.UnknownSecret | DeploymentDiffers | StoreError | Contended

/** Billing for merchants and for the operator. */
const money = MerchantBilling.layer.pipe(Layer.provideMerge(Billing.layer))

/** Billing for operator commands. */
export const billing = (currency: Options["currency"]) =>
  money.pipe(Layer.provide(merchants), Layer.provide(BillingRules.layer()), Layer.provide(Currency.layer(currency)))

/** Every capability, with its services and background work. To add a capability, add a line here. */
const capabilities = Layer.mergeAll(
  Idempotency.layer,
  Audit.layer,
  ListExports.layerNoDeps,
  SettingsAdvice.layer,
  money,
  Webhook.layer,
  Hook.layer.pipe(Layer.provide(Verification.layer)),
  BalanceWatch.layer,
  Verification.layer,
  Template.layer,
  Stat.layer,
  TripMails.layer,
  Protection.layer.pipe(Layer.provide(Statistics.layer)),
  Lead.layer,
  Attribution.layer,
  Campaign.layer,
  Search.layer,
  Erasure.layer,
  People.layer,
  Attention.layer,
  ExampleDays.layer,
  Staff.signIn.pipe(Layer.provide(Verification.layer))
).pipe(
  Layer.provideMerge(Staff.layer),
  Layer.provide(Campaign.recipients),
  Layer.provide(DeliveryRunner.layer),
  Layer.provideMerge(OptOuts.layerNoDeps),
  Layer.provide(VerificationCommands.layer),
  Layer.provide(Guard.layer),
  Layer.provide(TemplateCatalogue.layer),
  Layer.provide(TemplateStates.layer)
)

/** The names that settings may use. */
const settableChannels = Layer.effect(SettableChannels, Effect.map(Channels, nameable))

/** The services that capabilities depend on and that callers use too. */
const ground = (options: Options) =>
  Layer.mergeAll(
    Merchant.layer.pipe(Layer.provide(passkeyRule), Layer.provide(settableChannels)),
    Tokens.layer({ issuer: options.publicUrl }),
    Numbers.layer.pipe(Layer.provide(Outbox.layer), Layer.provide(Subscriptions.layer))
  ).pipe(
    Layer.provideMerge(
      SecretFingerprint.layer(Keyring.layer({ secret: options.secret, previous: options.previousSecrets }))
    ),
    Layer.provideMerge(Channels.layer(options.channels, options.carriers)),
    Layer.provideMerge(NumberVerifiers.layer(options.verifiers ?? [])),
    Layer.provideMerge(LineLookups.layer(options)),
    Layer.provideMerge(SignInMeans.layer({ passkeys: options.passkeys, provider: options.identityProvider })),
    Layer.provideMerge(Currency.layer(options.currency)),
    Layer.provideMerge(BillingRules.layer(options.billedBy)),
    Layer.provideMerge(LinkAddress.layer(options.linkUrl === undefined ? options.publicUrl : options.linkUrl))
  )

/** Providers' reports: receipts go to the owners of the deliveries, and incoming messages to the inbox. */
const reports = Receipts.layerNoDeps.pipe(
  Layer.provide(Inbox.layer.pipe(Layer.provide(Erasure.writers))),
  Layer.provide(OptOut.fromProviders),
  Layer.provide(OptOuts.layerNoDeps),
  Layer.provide(CampaignAnswers.layer)
)

/** Services that only capabilities use. */
const inner = (options: Options) =>
  Layer.mergeAll(
    Outbox.layer,
    Limits.layer,
    CaptchaCheck.layer(options.checkCaptcha),
    Senders.layer.pipe(
      Layer.provide(OptOut.fromProviders.pipe(Layer.provide(Outbox.layer))),
      Layer.provide(
        options.campaignsPerSecond === undefined
          ? Layer.empty
          : Layer.succeed(BulkPerSecond, options.campaignsPerSecond)
      )
    ),
    options.webhooks ?? layerNone,
    options.push ?? PushSender.layerNone
  ).pipe(Layer.provide(Subscriptions.layer))

/** Every service of the core. */
export type Services =
  | Layer.Success<typeof capabilities>
  | Layer.Success<typeof reports>
  | Layer.Success<ReturnType<typeof ground>>

/** The whole core over a storage, with the given `Jobs`. */
export const layerNoJobs = (options: Options): Layer.Layer<Services, StartError, Storage | Jobs> =>
  Layer.merge(capabilities, Retention.layer(options.retention ?? Retention.usualRetention)).pipe(
    Layer.provideMerge(reports),
    Layer.provide(inner(options)),
    Layer.provideMerge(ground(options))
  )

/**
 * The whole core over a storage, with its background work.
 *
 * @example
 * ```ts
 * import { Core } from "@countersign/core"
 * import { MemoryStorage } from "@countersign/core/memory"
 * import { Layer, Redacted } from "effect"
 *
 * const layer = Core.layer({
 *   secret: Redacted.make("00".repeat(32)),
 *   publicUrl: "https://verify.example.com",
 *   channels: []
 * }).pipe(Layer.provideMerge(MemoryStorage.layer))
 * ```
 */
export const layer = (options: Options): Layer.Layer<Services, StartError, Storage> =>
  layerNoJobs(options).pipe(Layer.provide(Jobs.layer))
