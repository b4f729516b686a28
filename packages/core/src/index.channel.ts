/**
 * What an adapter of a provider is written with: the channel port, its messages and errors, callbacks, and what comes in.
 */
export {
  type Account,
  type AccountFacts,
  AccountRefused,
  type Accounts,
  type MediaContent,
  MediaGone
} from "./delivery/Account.ts"
export {
  type Callback,
  type CallbackAnswer,
  CallbackRefused,
  type CallbackRequest,
  type Receipt
} from "./delivery/Callback.ts"
export type { Channel, ChannelChoice, Sent } from "./delivery/Channel.ts"
export { type CarrierOptions, Channels, nameable } from "./delivery/Channels.ts"
export { Because, ChannelError, OutcomeUnknown, Refused, TemplateFault, Unavailable } from "./delivery/ChannelError.ts"
export {
  ChannelName,
  isChannelName,
  isKnownChannel,
  type KnownChannel,
  knownChannels,
  labelOf,
  nameForm,
  namePattern
} from "./delivery/ChannelName.ts"
export type * as Inbound from "./delivery/Inbound.ts"
export { InboundListener } from "./delivery/InboundListener.ts"
export { checkOptions, InvalidOptions, OptionProblem, type OptionRules } from "./delivery/InvalidOptions.ts"
export {
  type CodeMessage,
  type LinkMessage,
  type Message,
  MessageKind,
  type TemplateMessage,
  type TextMessage
} from "./delivery/Message.ts"
export { type ProviderCheck, type ProviderChecked, ProviderCheckFailed } from "./delivery/ProviderCheck.ts"
export {
  type NewProviderTemplate,
  type ProviderTemplate,
  type ProviderTemplates,
  type TemplateAccount,
  type TemplateFacts,
  type TemplateName,
  TemplateStatus,
  TemplatesUnanswered
} from "./delivery/ProviderTemplate.ts"
export { knownVerifiers, type NumberVerifier, NumberVerifiers, type Proof } from "./delivery/NumberVerifier.ts"
export {
  carrierOf,
  type CarrierPreference,
  type CarrierRule,
  type CarrierTables,
  chooseCarrier
} from "./delivery/chooseCarrier.ts"
export { TruecallerProof, truecallerRefusal } from "./verification/truecallerProof.ts"
export * as Delivery from "./delivery/Delivery.ts"
export * as SandboxChannel from "./delivery/SandboxChannel.ts"
