/**
 * The core of Countersign: verifications, their limits and their history, as pure decisions and Effect services over
 * storage and channel ports.
 */
export * as Core from "./Core.ts"
export type { Services } from "./Core.ts"
export { Statistics } from "./account/stat/Statistics.ts"
export { MerchantUsage } from "./account/stat/MerchantUsage.ts"
export type { StatQuery } from "./account/stat/StatQuery.ts"
export { Attribution } from "./engagement/attribution/Attribution.ts"
export { Audit } from "./account/audit/Audit.ts"
export { type ListExport, ListExports } from "./account/audit/ListExports.ts"
export { Currency } from "./account/billing/Currency.ts"
export { PaymentRequired } from "./account/billing/PaymentRequired.ts"
export type { BalanceView } from "./account/billing/BalanceView.ts"
export { Billing } from "./account/billing/Billing.ts"
export { MerchantBilling } from "./account/billing/MerchantBilling.ts"
export { LinkAddress } from "./foundation/delivery/LinkAddress.ts"
export { Receipts, UnknownCallback } from "./message/sending/Receipts.ts"
export { InboundType } from "./foundation/delivery/Inbound.ts"
export { CampaignChannel, CampaignStatus } from "./engagement/campaign/Campaign.ts"
export { CampaignOver, CsvTooLarge, InvalidCsv, UnknownCampaign } from "./engagement/campaign/CampaignError.ts"
export { Campaigns } from "./engagement/campaign/Campaigns.ts"
export { longestCsv } from "./engagement/campaign/checkCampaign.ts"
export { StatementUse } from "./account/billing/statement.ts"
export { mostProblems } from "./engagement/campaign/readRecipients.ts"
export { envelope, type Event, EventType } from "./foundation/event/Event.ts"
export { Idempotency, IdempotencyKeyReused, StillRunning } from "./foundation/idempotency/Idempotency.ts"
export * as Identifier from "./foundation/identity/Identifier.ts"
export * as Identity from "./foundation/identity/Identity.ts"
export { inField, InvalidField, invalidField } from "./foundation/identity/InvalidField.ts"
export * as Problem from "./foundation/identity/Problem.ts"
export { issueOf, problemOfIssue } from "./foundation/identity/problemOfIssue.ts"
export * as IpAddress from "./foundation/identity/IpAddress.ts"
export { Limits, type Place } from "./foundation/limit/Limits.ts"
export { RateLimited } from "./foundation/limit/RateLimited.ts"
export { Agents, type Assignee, type OwnFields } from "./engagement/lead/Agents.ts"
export { DigestRefusal } from "./engagement/lead/digest.ts"
export { BulkAction, BulkOutcome } from "./engagement/lead/inBulk.ts"
export { type Label, LabelColour } from "./engagement/lead/Label.ts"
export { type LabelFields, Labels } from "./engagement/lead/Labels.ts"
export { ist } from "./engagement/lead/ist.ts"
export { EntryKind, type LeadEntry, LeadOrigin, LeadStatus } from "./engagement/lead/Lead.ts"
export {
  UnknownLabel,
  UnknownLead,
  UnknownMessage,
  UnknownSavedReply,
  UnknownTeam
} from "./engagement/lead/LeadError.ts"
export type { MessageMedia } from "./engagement/lead/LeadRequest.ts"
export type { Attachment } from "./engagement/lead/Attachment.ts"
export { largestFile } from "./engagement/lead/fileType.ts"
export { Leads } from "./engagement/lead/Leads.ts"
export type { LeadRow, LeadView, MessageView } from "./engagement/lead/LeadView.ts"
export { seenLead, seenMessage, seenPreview } from "./engagement/lead/seen.ts"
export { type DeviceFields, Devices, type OwnDevices, PushRefusal } from "./engagement/lead/Devices.ts"
export type { Device } from "./auth/staff/Device.ts"
export { type PushAnswer, type PushRequest, PushSender, PushUnanswered } from "./engagement/lead/PushSender.ts"
export type { SigningKey } from "./foundation/secret/SigningKey.ts"
export { Presences } from "./engagement/lead/Presences.ts"
export { SavedReplies } from "./engagement/lead/SavedReplies.ts"
export type { SavedReply } from "./engagement/lead/SavedReply.ts"
export { type Team, TeamAssignment } from "./auth/staff/Team.ts"
export { Teams } from "./engagement/lead/Teams.ts"
export { OptOuts, UnknownOptOut } from "./engagement/optOut/OptOuts.ts"
export { Links, type Shown } from "./auth/verification/Links.ts"
export type { LinkView } from "./auth/verification/LinkView.ts"
export { agreeOn, DeploymentDiffers } from "./account/merchant/deploymentFact.ts"
export { BilledBy, BilledByOperator } from "./account/merchant/BillingRules.ts"
export { FreshSignInNeeded, SettingOfOwner } from "./account/merchant/guardRefusal.ts"
export * as brandLogo from "./account/merchant/brandLogo.ts"
export { type BrandLook, type BrandTones, lookOf } from "./account/merchant/brandLook.ts"
export { logoHash } from "./account/merchant/logoAddress.ts"
export { settingGuards } from "./account/merchant/settingGuards.ts"
export type { Caller } from "./account/merchant/Caller.ts"
export { bulkRange } from "./message/sending/Bulk.ts"
export { isCurrency } from "./account/merchant/currency.ts"
export { processName } from "./account/merchant/inProcess.ts"
export { LastDashboardKey, ScopeMissing, UnknownKey } from "./account/merchant/KeyError.ts"
export { type Key, Keys, type KeyWithSecret } from "./account/merchant/Keys.ts"
export * as Merchant from "./account/merchant/Merchant.ts"
export { InvalidCredentials, KeysTaken, MerchantSuspended, UnknownMerchant } from "./account/merchant/MerchantError.ts"
export { nearestName } from "./account/merchant/nearestName.ts"
export { originAllowed } from "./account/merchant/originAllowed.ts"
export { atLeast, Role } from "./account/merchant/Role.ts"
export { mayUnmask, seenEvent, seenMessageName, seenText } from "./account/merchant/seesIdentities.ts"
export { Merchants, type NewMerchantKeys } from "./account/merchant/Merchants.ts"
export type { KeySet } from "./account/merchant/newKeys.ts"
export { SettingsAdvice } from "./account/merchant/SettingsAdvice.ts"
export { defaultSettings, Settings, SettingsFields } from "./account/merchant/Settings.ts"
export { type Actor, type By, byItself, operator } from "./foundation/outbox/AuditEntry.ts"
export { ConnectFailed, UnknownNumber } from "./account/number/NumberError.ts"
export { type Erasure, UnknownErasure } from "./data/erasure/Erasure.ts"
export { Erasures } from "./data/erasure/Erasures.ts"
export { ExampleDays } from "./data/example/ExampleDays.ts"
export { ExampleDayRuns, OnlyInTest } from "./data/example/ExampleError.ts"
export type { Exported } from "./data/erasure/exported.ts"
export { type RetentionOptions, retentionRange, usualRetention } from "./data/erasure/Retention.ts"
export { Exports } from "./data/erasure/Exports.ts"
export { Numbers } from "./account/number/Numbers.ts"
export { type Agent, AgentRole, AgentStatus, DigestMinutes } from "./auth/staff/Agent.ts"
export { type Invitation, Invitations, redeemUrl } from "./auth/staff/Invitations.ts"
export { AboveOwnRole, UnknownAgent, UnknownSession } from "./auth/staff/StaffError.ts"
export type { Session } from "./auth/staff/Session.ts"
export { type Browser, type Granted, Sessions, type AccountStatus } from "./auth/staff/Sessions.ts"
export { SignIn } from "./auth/staff/SignIn.ts"
export { printedLinkLife } from "./auth/staff/SignInLink.ts"
export { ProviderAway } from "./auth/staff/IdentityProvider.ts"
export { AgentCredentials, type Credentials } from "./auth/staff/AgentCredentials.ts"
export { forgetPasskeys } from "./auth/staff/forgetPasskeys.ts"
export type { Passkey } from "./auth/staff/Passkey.ts"
export { type Holder, Passkeys } from "./auth/staff/Passkeys.ts"
export { ProviderSignIn } from "./auth/staff/ProviderSignIn.ts"
export {
  PasskeyNeeded,
  PasskeysAbsent,
  ProviderAbsent,
  UnknownBinding,
  UnknownPasskey
} from "./auth/staff/SignInError.ts"
export { type AdmittedProof, NumberVerifications } from "./auth/verification/NumberVerifications.ts"
export * as Code from "./foundation/secret/Code.ts"
export { describeCause } from "./foundation/secret/describeCause.ts"
export { InvalidSecret, Keyring, MasterKey } from "./foundation/secret/Keyring.ts"
export { requireSingleEffect, reveal } from "./foundation/secret/requireSingleEffect.ts"
export { fits as fitsSecret } from "./foundation/secret/SecretFingerprint.ts"
export * as SecretHash from "./foundation/secret/SecretHash.ts"
export { Tokens } from "./foundation/secret/Tokens.ts"
export type { SenderId } from "./message/template/SenderIdStore.ts"
export { SenderIds } from "./message/template/SenderIds.ts"
export { TemplatePurpose } from "./message/template/StoredTemplate.ts"
export {
  IncompleteTemplate,
  InvalidTemplate,
  SenderIdTaken,
  SubmissionRefused,
  TemplateTaken,
  UnknownSenderId,
  UnknownTemplate
} from "./message/template/TemplateError.ts"
export { Templates } from "./message/template/Templates.ts"
export { builtIn } from "./message/template/builtIn.ts"
export { builtInLink } from "./message/template/builtInLink.ts"
export * as SmsText from "./message/template/SmsText.ts"
export { render } from "./message/template/Template.ts"
export * as Instant from "./foundation/time/Instant.ts"
export { attempt } from "./auth/verification/attempt.ts"
export { approve } from "./auth/verification/approve.ts"
export type { Decision } from "./auth/verification/Decision.ts"
export { deliver } from "./auth/verification/deliver.ts"
export { initiate, type InitiateCommand } from "./auth/verification/initiate.ts"
export { RefusedAddresses } from "./auth/verification/RefusedAddresses.ts"
export { deliveryStatusOf } from "./auth/verification/VerificationDelivery.ts"
export { type Hook, type HookEntry, type HookOutcome, HookUnsigned, UnknownHook } from "./auth/hook/Hook.ts"
export { type HookAnswer, type HookFailure, HookKind } from "./auth/hook/hookKinds.ts"
export { HookReceiver } from "./auth/hook/HookReceiver.ts"
export { Hooks } from "./auth/hook/Hooks.ts"
export { retiringAt } from "./foundation/secret/rotation.ts"
export { type Relayed, type RelayRefused, Relays } from "./auth/verification/Relays.ts"
export type { RelayRequest } from "./auth/verification/RelayRequest.ts"
export { SdkSessions } from "./auth/verification/SdkSessions.ts"
export { TryIt } from "./auth/verification/TryIt.ts"
export { type TrustedDevice, TrustedDevices, UnknownDevice } from "./auth/verification/TrustedDevices.ts"
export { Advice, FallbackState, type Outcome, OutcomeCode, OutcomeReason } from "./auth/verification/outcome.ts"
export { type TimelineItem, TimelineKind } from "./auth/verification/timeline.ts"
export type { Refusal } from "./data/search/Refusal.ts"
export { Live, TooManyListeners } from "./data/search/Live.ts"
export { RefusedInitiates } from "./data/search/RefusedInitiates.ts"
export type { Attention } from "./data/attention/attentionOf.ts"
export { Attentions } from "./data/attention/Attentions.ts"
export { ChannelStates } from "./data/search/ChannelStates.ts"
export { People } from "./data/people/People.ts"
export { FoundBy, type FoundPerson, type Person, type PersonLead, UnknownPerson } from "./data/people/Person.ts"
export { History } from "./data/search/History.ts"
export { Unlocks } from "./auth/verification/Unlocks.ts"
export { type RequestContext, seenContext } from "./auth/verification/RequestContext.ts"
export * as Verification from "./auth/verification/Verification.ts"
export { DestinationForbidden } from "./account/merchant/destination.ts"
export {
  AttemptsExhausted,
  ChannelRequired,
  InvalidChannel,
  InvalidMode,
  NetworkNotSupported,
  ProofUnavailable,
  ProviderUnavailable,
  RedirectUriRequired,
  TemplateUnusable,
  UnknownAuthorisationCode,
  UnknownVerification,
  VerificationExpired
} from "./auth/verification/VerificationError.ts"
export type { Initiated } from "./auth/verification/startVerification.ts"
export type { LineQuestion } from "./auth/verification/checkLine.ts"
export { type LineAnswer, lineMissing, lookupsRange } from "./auth/verification/LineLookups.ts"
export { Verifications, type Verified } from "./auth/verification/Verifications.ts"
export type { ListenedEvent } from "./account/webhook/EventListener.ts"
export {
  type WebhookAnswer,
  type WebhookRequest,
  WebhookSender,
  WebhookUnanswered
} from "./account/webhook/WebhookSender.ts"
export * as Webhook from "./account/webhook/Webhook.ts"
export type { AttemptStatus, WebhookAttempt } from "./account/webhook/WebhookAttempt.ts"
export { ReplayRuns, UnknownWebhook, UnknownWebhookDelivery, WebhookUrlTaken } from "./account/webhook/WebhookError.ts"
export { type EndpointHealth, HealthCode } from "./account/webhook/endpointHealth.ts"
export { EventState } from "./account/webhook/eventLog.ts"
export type { LoggedEvent } from "./account/webhook/makeEventLog.ts"
export { Webhooks } from "./account/webhook/Webhooks.ts"
export type { CheckCaptcha } from "./foundation/guard/CaptchaCheck.ts"
export {
  type Challenge,
  type ChallengeAnswer,
  type ChallengeKind,
  challengeKinds
} from "./auth/verification/Challenge.ts"
export { GuardRefused } from "./auth/verification/GuardRefused.ts"
export { type Trip, type TripReason, tripReasons } from "./foundation/guard/Trip.ts"
export {
  guardReasons,
  guardVerdicts,
  type GuardReason,
  type GuardVerdict,
  type Judgement
} from "./foundation/guard/GuardReason.ts"
export { Protection, type ProtectionView, type ReasonView, type WouldView } from "./data/protection/Protection.ts"
export { GuardMemory, type GuardedOutcome, type GuardedRequest } from "./foundation/guard/GuardMemory.ts"
