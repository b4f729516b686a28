/**
 * The rules of Countersign: what a verification is, what limits it, and what is recorded of it, as pure decisions and
 * Effect services over storage and channel ports.
 */
export * as Core from "./Core.ts"
export type { Services, StartError } from "./Core.ts"
export {
  type FunnelItem,
  type LatencyItem,
  type RefusalItem,
  type SeriesItem,
  type SpendItem,
  type StatCounts,
  Statistics
} from "./stat/Statistics.ts"
export type { Quantiles } from "./stat/quantiles.ts"
export { MerchantUsage, type UsageItem } from "./stat/MerchantUsage.ts"
export type { StatQuery } from "./stat/StatQuery.ts"
export { Attribution, type RecordedLaunch, type Recording } from "./attribution/Attribution.ts"
export type { AttributionQuery, ConversionRequest, LaunchRequest } from "./attribution/AttributionRequest.ts"
export { AttributionModel } from "./attribution/AttributionStore.ts"
export type { Report, ReportRow } from "./attribution/makeReport.ts"
export { Audit, type AuditPage, type AuditQuery, type AuditView } from "./audit/Audit.ts"
export { Currency } from "./billing/Currency.ts"
export { PaymentRequired } from "./billing/PaymentRequired.ts"
export type { BalanceView, SpentOnDay } from "./billing/BalanceView.ts"
export { Billing, type LedgerQuery, type Payer } from "./billing/Billing.ts"
export type { CorrectionRequest, TopUpRequest } from "./billing/changeBalance.ts"
export {
  type Billed,
  type BillingChange,
  MerchantBilling,
  type MerchantBillingView
} from "./billing/MerchantBilling.ts"
export { LinkAddress } from "./delivery/LinkAddress.ts"
export { Receipts, UnknownCallback } from "./delivery/Receipts.ts"
export { InboundType } from "./delivery/Inbound.ts"
export { CampaignChannel, CampaignStatus } from "./campaign/Campaign.ts"
export { CampaignOver, CsvTooLarge, InvalidCsv, UnknownCampaign } from "./campaign/CampaignError.ts"
export {
  type CampaignRefused,
  Campaigns,
  type CampaignView,
  type ChangeRefused,
  type DryRun
} from "./campaign/Campaigns.ts"
export { type CampaignRequest, longestCsv } from "./campaign/checkCampaign.ts"
export { type QuietHours, quietUntil } from "./campaign/quietHours.ts"
export {
  type ListedRecipient,
  type ListProblem,
  type ListWanted,
  mostRecipients,
  readRecipients,
  type RecipientList,
  sayProblem
} from "./campaign/readRecipients.ts"
export * as Device from "./device/Device.ts"
export { envelope, type Event, type EventEnvelope, EventType } from "./event/Event.ts"
export { EventData } from "./event/EventData.ts"
export { Idempotency, IdempotencyKeyReused, StillRunning } from "./idempotency/Idempotency.ts"
export * as Identifier from "./identity/Identifier.ts"
export * as Identity from "./identity/Identity.ts"
export { maskContact, maskMessageName, maskSpelling, maskText } from "./identity/maskText.ts"
export { InvalidField } from "./identity/InvalidField.ts"
export * as IpAddress from "./identity/IpAddress.ts"
export { Limits, type Place, type Seen, type Taken } from "./limit/Limits.ts"
export { RateLimited } from "./limit/RateLimited.ts"
export { type AgentFields, Agents } from "./lead/Agents.ts"
export type { ReplyRequest } from "./lead/checkReply.ts"
export { ist } from "./lead/ist.ts"
export { type Lead, type LeadEntry, LeadOrigin, LeadStatus, waitingSince } from "./lead/Lead.ts"
export {
  UnknownLead,
  UnknownMessage,
  UnknownSavedReply,
  UnknownTeam
} from "./lead/LeadError.ts"
export type { LeadMessage } from "./lead/LeadMessage.ts"
export type {
  Found,
  LeadListRequest,
  LeadPageRequest,
  LeadReference,
  LeadSearchRequest,
  LeadRefused,
  ReplyRefused,
  MessageMedia,
  PartRequest
} from "./lead/LeadRequest.ts"
export { Leads } from "./lead/Leads.ts"
export type { LeadView, MessageView, Part } from "./lead/LeadView.ts"
export { seenLead, seenMessage } from "./lead/seen.ts"
export type { Presence } from "./lead/Presence.ts"
export { type Looking, Presences } from "./lead/Presences.ts"
export { SavedReplies, type SavedReplyFields } from "./lead/SavedReplies.ts"
export type { SavedReply } from "./lead/SavedReply.ts"
export { type Team, TeamAssignment } from "./lead/Team.ts"
export { type TeamFields, Teams } from "./lead/Teams.ts"
export { startWords, stopWords } from "./optOut/askedToStop.ts"
export { OptOuts, type OptOutView, UnknownOptOut } from "./optOut/OptOuts.ts"
export { type Approval, type ExchangeRequest, Links, type Shown } from "./link/Links.ts"
export type { LinkView } from "./link/LinkView.ts"
export { agreeOn, DeploymentDiffers } from "./merchant/agreedFact.ts"
export { BilledBy, BilledByOperator, BillingRules } from "./merchant/BillingRules.ts"
export { FreshSignInNeeded, SettingOfOwner } from "./merchant/guardRefusal.ts"
export { type SettingGuard, settingGuards } from "./merchant/settingGuards.ts"
export type { Caller, SignedIn } from "./merchant/Caller.ts"
export { bulkRange } from "./delivery/Bulk.ts"
export { isCurrency } from "./merchant/currency.ts"
export { processName } from "./merchant/inProcess.ts"
export { LastDashboardKey, ScopeMissing, UnknownKey } from "./merchant/KeyError.ts"
export { type Key, type KeyOwner, Keys, type KeyWithSecret, type NewKey } from "./merchant/Keys.ts"
export * as Merchant from "./merchant/Merchant.ts"
export { InvalidCredentials, KeysTaken, MerchantSuspended, UnknownMerchant } from "./merchant/MerchantError.ts"
export { nearestName } from "./merchant/nearestName.ts"
export { checkRedirectUri } from "./merchant/redirectUri.ts"
export { originAllowed } from "./merchant/originAllowed.ts"
export { atLeast, Role } from "./merchant/Role.ts"
export { type Holding, seenEvent, seenMessageName, seenText, seesIdentities } from "./merchant/sight.ts"
export { Merchants, type NewMerchantKeys } from "./merchant/Merchants.ts"
export type { KeySet } from "./merchant/newKeys.ts"
export { SettingsAdvice } from "./merchant/SettingsAdvice.ts"
export type { SettingsWarning } from "./merchant/settingsTogether.ts"
export { defaultSettings, Settings, SettingsFields } from "./merchant/Settings.ts"
export { type Actor, type AuditEntry, type By, byItself, type Doer, operator, system } from "./outbox/AuditEntry.ts"
export { ConnectFailed, UnknownNumber } from "./number/NumberError.ts"
export { type Erasure, type Removed, UnknownErasure } from "./erasure/Erasure.ts"
export { type EraseRequest, Erasures } from "./erasure/Erasures.ts"
export { type BegunExample, ExampleDays, type ExampleRequest } from "./example/ExampleDays.ts"
export { ExampleDayRuns, OnlyInTest } from "./example/ExampleError.ts"
export { type Exported, ExportedKind } from "./erasure/exported.ts"
export { type RetentionOptions, retentionRange, usualRetention } from "./erasure/Retention.ts"
export { Exports } from "./erasure/Exports.ts"
export { type NumberFields, Numbers, type NumberView } from "./number/Numbers.ts"
export { type Agent, AgentRole, AgentStatus } from "./person/Agent.ts"
export { type Invitation, Invitations, redeemUrl, type Wanted as InvitationWanted } from "./person/Invitations.ts"
export { AboveOwnRole, UnknownAgent, UnknownSession } from "./person/PersonError.ts"
export { type Session, SessionMethod } from "./person/Session.ts"
export { type Browser, type Granted, Sessions, type Shown as SignInShown, type Standing } from "./person/Sessions.ts"
export { SignIn } from "./person/SignIn.ts"
export { printedLinkLife } from "./person/SignInLink.ts"
export { ProviderAway } from "./person/IdentityProvider.ts"
export { AgentCredentials, type Credentials } from "./person/AgentCredentials.ts"
export { type Forgotten, forgetPasskeys } from "./person/forgetPasskeys.ts"
export type { Passkey } from "./person/Passkey.ts"
export { type Holder, Passkeys } from "./person/Passkeys.ts"
export { type Departure, ProviderSignIn } from "./person/ProviderSignIn.ts"
export { PasskeyNeeded, PasskeysAbsent, ProviderAbsent, UnknownBinding, UnknownPasskey } from "./person/SignInError.ts"
export type { TruecallerRequest } from "./proof/checkTruecaller.ts"
export { type AdmittedProof, Proofs, type Proved } from "./proof/Proofs.ts"
export * as Code from "./secret/Code.ts"
export { describeCause } from "./secret/describeCause.ts"
export { InvalidSecret, Keyring, MasterKey } from "./secret/Keyring.ts"
export { oneEffect, reveal, TwoEffects } from "./secret/oneEffect.ts"
export { fits as fitsSecret, UnknownSecret } from "./secret/SecretFingerprint.ts"
export * as SecretHash from "./secret/SecretHash.ts"
export type { PublicJwk } from "./secret/SigningKey.ts"
export { InvalidToken, type TokenClaims, type TokenKind, Tokens } from "./secret/Tokens.ts"
export { type PreviewRequest } from "./template/previewOf.ts"
export type { SenderId } from "./template/SenderIdStore.ts"
export { SenderIds } from "./template/SenderIds.ts"
export { type StoredTemplate, TemplateChannel, TemplatePurpose } from "./template/StoredTemplate.ts"
export {
  IncompleteTemplate,
  InvalidTemplate,
  SenderIdTaken,
  SubmissionRefused,
  TemplateTaken,
  UnknownSenderId,
  UnknownTemplate
} from "./template/TemplateError.ts"
export type { TemplateFields } from "./template/templateFields.ts"
export { type PreviewWithFindings, Templates, type TemplateView } from "./template/Templates.ts"
export { builtIn } from "./template/builtIn.ts"
export { builtInLink } from "./template/builtInLink.ts"
export { type Finding, lint } from "./template/lint.ts"
export * as SmsText from "./template/SmsText.ts"
export { type Rendered, render, type Template } from "./template/Template.ts"
export * as Instant from "./time/Instant.ts"
export { attempt, type AttemptCommand, type AttemptOutcome } from "./verification/attempt.ts"
export { approve, type ApproveCommand, type ApproveOutcome } from "./verification/approve.ts"
export { challengeOf, exchange, type ExchangeCommand, type ExchangeOutcome } from "./verification/exchange.ts"
export type { Decision } from "./verification/Decision.ts"
export { deliver, type DeliverOutcome, type DeliveryReport } from "./verification/deliver.ts"
export { initiate, type InitiateCommand, type InitiateLimit, type InitiateOutcome } from "./verification/initiate.ts"
export type { InitiateRequest } from "./verification/InitiateRequest.ts"
export { RefusedAddresses } from "./verification/RefusedAddresses.ts"
export type { SdkInitiateRequest } from "./verification/SdkRequest.ts"
export { type SdkSession, SdkSessions, type SdkVerifyRequest } from "./verification/SdkSessions.ts"
export { type TrialRequest, type Tried, Trials } from "./verification/Trials.ts"
export { type TrustedDevice, TrustedDevices, UnknownDevice } from "./verification/TrustedDevices.ts"
export { type TimelineItem, TimelineKind } from "./verification/timeline.ts"
export type { SearchRequest } from "./looking/checkSearch.ts"
export type { RefusalsRequest } from "./looking/checkRefusals.ts"
export type { Refusal } from "./looking/Refusal.ts"
export { Live, type LiveItem, TooManyListeners } from "./looking/Live.ts"
export { RefusedInitiates } from "./looking/RefusedInitiates.ts"
export { ChannelStates, type ChannelView } from "./looking/ChannelStates.ts"
export { History, type SeenMessage } from "./looking/History.ts"
export { type Lock, Unlocks } from "./verification/Unlocks.ts"
export * as Verification from "./verification/Verification.ts"
export type { VerificationDelivery } from "./verification/VerificationDelivery.ts"
export {
  AttemptsExhausted,
  ChannelRequired,
  DestinationForbidden,
  InvalidChannel,
  InvalidMode,
  ProofUnavailable,
  ProviderUnavailable,
  RedirectUriRequired,
  TemplateUnusable,
  UnknownAuthorisationCode,
  UnknownVerification,
  VerificationExpired
} from "./verification/VerificationError.ts"
export type { Initiated } from "./verification/startVerification.ts"
export {
  type ConfirmRequest,
  type Reference,
  Verifications,
  type Verified,
  type VerifyRequest
} from "./verification/Verifications.ts"
export type { EventListener, ListenedEvent } from "./webhook/EventListener.ts"
export { type WebhookAnswer, type WebhookRequest, WebhookSender, WebhookUnanswered } from "./webhook/WebhookSender.ts"
export * as Webhook from "./webhook/Webhook.ts"
export type { AttemptStatus, WebhookAttempt } from "./webhook/WebhookAttempt.ts"
export { ReplayRuns, UnknownWebhook, UnknownWebhookDelivery, WebhookUrlTaken } from "./webhook/WebhookError.ts"
export type { WebhookFields } from "./webhook/webhookFields.ts"
export { type AttemptWithBody, type ReplayRange, Webhooks, type WebhookWithSecret } from "./webhook/Webhooks.ts"
