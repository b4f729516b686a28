/**
 * Why a call failed.
 *
 * The first two never come from the service: nothing that could be read came back (`NETWORK_ERROR`), or nothing came in
 * time (`TIMEOUT`). A service newer than this package may answer further codes, so keep a default case.
 */
export type ErrorCode =
  | "NETWORK_ERROR"
  | "TIMEOUT"
  // generated from the contract: npx -y pnpm@12 write-docs
  | "INVALID_REQUEST"
  | "INVALID_MODE"
  | "INVALID_CHANNEL"
  | "CHANNEL_REQUIRED"
  | "REDIRECT_URI_REQUIRED"
  | "OTP_EXPIRED"
  | "MAX_ATTEMPTS_EXCEEDED"
  | "TRANSACTION_NOT_FOUND"
  | "INVALID_TEMPLATE_CONFIG"
  | "INCOMPLETE_TEMPLATE_CONFIG"
  | "INVALID_CLIENT_CREDENTIALS"
  | "CLIENT_INACTIVE"
  | "FORBIDDEN"
  | "NOT_FOUND"
  | "TEMPLATE_NOT_FOUND"
  | "MERCHANT_NOT_FOUND"
  | "DEVICE_NOT_FOUND"
  | "KEY_NOT_FOUND"
  | "SENDER_ID_NOT_FOUND"
  | "WEBHOOK_NOT_FOUND"
  | "WEBHOOK_DELIVERY_NOT_FOUND"
  | "LEAD_NOT_FOUND"
  | "AGENT_NOT_FOUND"
  | "TEAM_NOT_FOUND"
  | "MESSAGE_NOT_FOUND"
  | "SAVED_REPLY_NOT_FOUND"
  | "NUMBER_NOT_FOUND"
  | "ERASURE_NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "IDEMPOTENCY_KEY_REUSED"
  | "WEBHOOK_URL_DUPLICATE"
  | "DUPLICATE_TEMPLATE"
  | "DUPLICATE_SENDER_ID"
  | "PAYLOAD_TOO_LARGE"
  | "RATE_LIMIT_EXCEEDED"
  | "INTERNAL_ERROR"
  | "PROVIDER_ERROR"
  | "WHATSAPP_CONNECT_FAILED"
// /generated
