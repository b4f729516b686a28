import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Unauthorized } from "./ErrorEnvelope.ts"

/** The name of the second header of the server key; the first is what `HttpApiSecurity` can describe. */
export const clientIdHeader = "x-client-id"
export const clientSecretHeader = "x-client-secret"
export const publicKeyHeader = "x-public-key"

/** `X-Client-Id` and `X-Client-Secret`, both: for merchants' backends only. */
export class ServerKey extends HttpApiMiddleware.Service<ServerKey>()("@countersign/http/ServerKey", {
  requiredForClient: true,
  error: Unauthorized,
  security: {
    clientId: HttpApiSecurity.apiKey({ key: clientIdHeader, in: "header" })
  }
}) {}

/** `X-Public-Key`: for apps. It is in everybody's hands, and opens nothing that somebody else started. */
export class PublicKey extends HttpApiMiddleware.Service<PublicKey>()("@countersign/http/PublicKey", {
  requiredForClient: true,
  error: Unauthorized,
  security: { publicKey: HttpApiSecurity.apiKey({ key: publicKeyHeader, in: "header" }) }
}) {}

/** The token that a merchant's backend made for one of its apps. */
export class SessionToken extends HttpApiMiddleware.Service<SessionToken>()("@countersign/http/SessionToken", {
  requiredForClient: true,
  error: Unauthorized,
  security: { sessionToken: HttpApiSecurity.bearer }
}) {}

/** The operator's bearer token. */
export class AdminToken extends HttpApiMiddleware.Service<AdminToken>()("@countersign/http/AdminToken", {
  requiredForClient: true,
  error: Unauthorized,
  security: { adminToken: HttpApiSecurity.bearer }
}) {}
