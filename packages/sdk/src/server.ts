export { CountersignError } from "./CountersignError.ts"
export type { ErrorCode } from "./ErrorCode.ts"
export type { Connection } from "./request/request.ts"
export { type IdTokenErrorCode, IdTokenVerificationError } from "./server/IdTokenVerificationError.ts"
export type { AttributionInput, AttributionReport, AttributionRow } from "./server/attribution.ts"
export type {
  Agent,
  AssignInput,
  Lead,
  LeadReference,
  Leads,
  LeadsInput,
  MoveToTeamInput,
  Team
} from "./server/leads.ts"
export {
  type ConfirmInput,
  type Confirmation,
  type CreatedSession,
  createServer,
  type IdentityType,
  type Mode,
  type Reference,
  type Server,
  type ServerCallOptions,
  type ServerInitiateInput,
  type ServerInitiateResult,
  type ServerOptions,
  type ServerPostOptions,
  type ServerVerifyInput,
  type ServerVerifyResult,
  type TokenInput,
  type TokenResult,
  type Verification
} from "./server/Server.ts"
export { type IdTokenClaims, verifyIdToken, type VerifyIdTokenOptions } from "./server/verifyIdToken.ts"
export { verifyWebhook, type VerifyWebhookInput, type WebhookHeaders } from "./server/verifyWebhook.ts"
export type { UnknownEvent, WebhookEvent, WebhookEventData, WebhookEventType } from "./server/WebhookEvent.ts"
export { type WebhookErrorCode, WebhookVerificationError } from "./server/WebhookVerificationError.ts"
