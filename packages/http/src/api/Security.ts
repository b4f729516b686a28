import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Unauthorized } from "./ErrorEnvelope.ts"

/** The name of the second header of the server key; the first is what `HttpApiSecurity` can describe. */
export const clientIdHeader = "x-client-id"
export const clientSecretHeader = "x-client-secret"

/** `X-Client-Id` and `X-Client-Secret`, both: for merchants' backends only. */
export class ServerKey extends HttpApiMiddleware.Service<ServerKey>()("@countersign/http/ServerKey", {
  requiredForClient: true,
  error: Unauthorized,
  security: {
    clientId: HttpApiSecurity.apiKey({ key: clientIdHeader, in: "header" })
  }
}) {}

/** The operator's bearer token. */
export class AdminToken extends HttpApiMiddleware.Service<AdminToken>()("@countersign/http/AdminToken", {
  requiredForClient: true,
  error: Unauthorized,
  security: { adminToken: HttpApiSecurity.bearer }
}) {}
