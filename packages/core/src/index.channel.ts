/** For authors of provider adapters: the channel port, its messages and errors, callbacks, and incoming messages. */
export {
  type Account,
  type AccountFacts,
  AccountRefused,
  type MediaContent,
  MediaGone,
  type NewMedia
} from "./foundation/delivery/Account.ts"
export {
  type Callback,
  type CallbackAnswer,
  CallbackRefused,
  type CallbackRequest,
  type Receipt
} from "./foundation/delivery/Callback.ts"
export { CaptchaUnavailable, type CheckCaptcha } from "./foundation/guard/CaptchaCheck.ts"
export type { Channel, Sent } from "./foundation/delivery/Channel.ts"
export { type CarrierOptions, Channels } from "./foundation/delivery/Channels.ts"
export {
  Because,
  ChannelError,
  OutcomeUnknown,
  Refused,
  TemplateFault,
  Unavailable
} from "./foundation/delivery/ChannelError.ts"
export {
  ChannelName,
  isChannelName,
  isKnownChannel,
  knownChannels,
  labelOf,
  nameForm,
  namePattern
} from "./foundation/delivery/ChannelName.ts"
export type * as Inbound from "./foundation/delivery/Inbound.ts"
export { checkOptions, InvalidOptions, OptionProblem, type OptionRules } from "./foundation/delivery/InvalidOptions.ts"
export {
  type CodeMessage,
  type LinkMessage,
  MediaKind,
  type MediaMessage,
  type Message,
  MessageKind,
  type NoticeMessage,
  type ProviderTemplate,
  type TemplateMessage,
  type TemplateName,
  type TextMessage
} from "./foundation/delivery/Message.ts"
export {
  knownLineTypes,
  type LineFact,
  lineFacts,
  type LineFacts,
  type LineInfo,
  LineInfoError,
  type LineRequest
} from "./foundation/delivery/LineInfo.ts"
export { type ProviderCheck, type ProviderChecked, ProviderCheckFailed } from "./foundation/delivery/ProviderCheck.ts"
export {
  type NewProviderTemplate,
  type ProviderTemplates,
  type TemplateAccount,
  type TemplateFacts,
  TemplateStatus,
  TemplatesUnanswered
} from "./foundation/delivery/ProviderTemplate.ts"
export {
  knownVerifiers,
  type NumberLogin,
  type NumberStart,
  type NumberVerifier,
  NumberVerifiers,
  otherMethods,
  type Proof
} from "./foundation/delivery/NumberVerifier.ts"
export { carrierOf, type CarrierRule, type CarrierTables, chooseCarrier } from "./foundation/delivery/chooseCarrier.ts"
export { FirebaseProof, firebaseRefusal } from "./auth/verification/firebaseProof.ts"
export { OpenedProof } from "./auth/verification/openedProof.ts"
export { TruecallerProof, truecallerRefusal } from "./auth/verification/truecallerProof.ts"
export * as Delivery from "./foundation/delivery/Delivery.ts"
export * as SandboxChannel from "./foundation/delivery/SandboxChannel.ts"
