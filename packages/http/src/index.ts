/**
 * The `/v1` HTTP API of Countersign: its contract, and handlers for Node, for the web standard `Request`, and for Effect's
 * router.
 */
export { favicon } from "./favicon.ts"
export { Api } from "./Api.ts"
export type { ErrorCode, ErrorEnvelope, FieldProblem } from "./contract/ErrorEnvelope.ts"
export {
  Admin,
  AdminFresh,
  AdminFreshOrDry,
  AdminToken,
  AuthKey,
  LeadsAgent,
  LeadsViewer,
  Open,
  OwnerFresh,
  Person,
  PersonFresh,
  PublicKey,
  SessionToken,
  SignIn,
  StaffAdmin,
  StaffAdminFresh,
  StaffViewer,
  Viewer,
  Worker,
  WorkerInPerson
} from "./contract/Security.ts"
export type { AppCallOptions, CallOptions, FileCallOptions } from "./contract/Methods.ts"
export * as ClientAddress from "./ClientAddress.ts"
export {
  type BillingOptions,
  type DashboardOptions,
  type CaptchaContext,
  type EmbeddedService,
  makeService,
  type MakeOptions,
  type RetentionDays,
  serviceLayer,
  type ServiceOptions
} from "./makeService.ts"
export { Dispatcher, type Options as DispatcherOptions } from "./Dispatcher.ts"
export * as HttpLayer from "./HttpLayer.ts"
export { inProcess, type InProcessOptions, type PlainKeys } from "./inProcess.ts"
export type { LeveledLogger, LogEntry, LoggerOption } from "./Logging.ts"
export * as LocalRequest from "./LocalRequest.ts"
export * as NodeHandler from "./NodeHandler.ts"
export type { Pages } from "./Pages.ts"
export type { ClockOption, PlainClock } from "./PlainClock.ts"
export { type PlainMessage, type PromiseChannel, type SendResult, toChannel } from "./PromiseChannel.ts"
export {
  carrier,
  type CarrierEntry,
  type ChannelSource,
  type LineInfoSource,
  type NumberVerifierSource,
  type ServiceFacts,
  type Source
} from "./Source.ts"
export type { PlainSpan, PlainSpanOptions, PlainTracer, TracerOption } from "./Tracing.ts"
export * as WebHandler from "./WebHandler.ts"
export { CountersignError } from "./wire.ts"
export type { WireRequest } from "./WireRequest.ts"
export { json, type WireResponse } from "./WireResponse.ts"
