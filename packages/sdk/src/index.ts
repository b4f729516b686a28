export {
  type Approval,
  type Client,
  type ClientOptions,
  createClient,
  type DeviceInfo,
  type InitiateInput,
  type InitiateOptions,
  type ResendInput,
  type SdkChannel,
  type TruecallerInput,
  type VerifyInput,
  type VerifyNumberInput,
  type WaitOptions
} from "./client/Client.ts"
export type { CallOptions, Session, VerifyResult } from "./client/Session.ts"
export type { Challenge } from "./Challenge.ts"
export type { ChallengeNews, OnChallenge } from "./client/answering.ts"
export type { NumberOrCode, NumberOrCodeInput } from "./client/numberOrCode.ts"
export type { ConversionInput, LaunchInput } from "./client/Launches.ts"
export type { KeyValueStorage } from "./client/DeviceTokens.ts"
export { CountersignError, type FieldProblem } from "./CountersignError.ts"
export type { ErrorCode } from "./ErrorCode.ts"
export type { Connection } from "./request/request.ts"
