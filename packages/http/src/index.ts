/**
 * The `/v1` HTTP interface of Countersign: its contract as data, and handlers for Node, for the web platform's
 * `Request`, and for Effect's router.
 */
export { Api } from "./Api.ts"
export type { ErrorCode, ErrorEnvelope } from "./contract/ErrorEnvelope.ts"
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
export * as ClientAddress from "./ClientAddress.ts"
export { Countersign, type CountersignOptions } from "./Countersign.ts"
export { Dispatcher, type Options as DispatcherOptions } from "./Dispatcher.ts"
export * as HttpLayer from "./HttpLayer.ts"
export * as NodeHandler from "./NodeHandler.ts"
export type { Pages } from "./Pages.ts"
export { type PromiseChannel, toChannel } from "./PromiseChannel.ts"
export * as WebHandler from "./WebHandler.ts"
export { CountersignError } from "./wire.ts"
export type { WireRequest } from "./WireRequest.ts"
export { json, type WireResponse } from "./WireResponse.ts"
