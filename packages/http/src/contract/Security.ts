import type { Merchant } from "@countersign/core"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Forbidden, TooMany, Unauthorized } from "./ErrorEnvelope.ts"

/** The name of the second header of the server key; the first is what `HttpApiSecurity` can describe. */
export const clientIdHeader = "x-client-id"
export const clientSecretHeader = "x-client-secret"
export const publicKeyHeader = "x-public-key"

/** What a server key may be good for: a key has some of these, and opens the endpoints that need one of them. */
export type Scope = Merchant.KeyScope

/**
 * What an endpoint asks of whoever calls it. Each credential below carries its own as `needs`; every endpoint of the
 * contract has exactly one of them as middleware, and one without, or with two, does not compile and does not start.
 */
export type Needs =
  | { readonly credential: "server"; readonly scope: Scope }
  | { readonly credential: "public" | "session" | "admin" | "none" }

const serverKey = {
  requiredForClient: true,
  error: [Unauthorized, Forbidden],
  security: { clientId: HttpApiSecurity.apiKey({ key: clientIdHeader, in: "header" }) }
} as const

/** `X-Client-Id` and `X-Client-Secret`, both, of a key with the scope `auth`: for merchants' backends only. */
export class AuthKey extends HttpApiMiddleware.Service<AuthKey>()("@countersign/http/AuthKey", serverKey) {
  static readonly needs = { credential: "server", scope: "auth" } as const satisfies Needs
}

/** The same with the scope `leads`. */
export class LeadsKey extends HttpApiMiddleware.Service<LeadsKey>()("@countersign/http/LeadsKey", serverKey) {
  static readonly needs = { credential: "server", scope: "leads" } as const satisfies Needs
}

/** The same with the scope `dashboard`. */
export class DashboardKey extends HttpApiMiddleware.Service<DashboardKey>()(
  "@countersign/http/DashboardKey",
  serverKey
) {
  static readonly needs = { credential: "server", scope: "dashboard" } as const satisfies Needs
}

/** `X-Public-Key`: for apps. It is in everybody's hands, and opens nothing that somebody else started. */
export class PublicKey extends HttpApiMiddleware.Service<PublicKey>()("@countersign/http/PublicKey", {
  requiredForClient: true,
  error: [Unauthorized, Forbidden, TooMany],
  security: { publicKey: HttpApiSecurity.apiKey({ key: publicKeyHeader, in: "header" }) }
}) {
  static readonly needs = { credential: "public" } as const satisfies Needs
}

/** The token that a merchant's backend made for one of its apps. */
export class SessionToken extends HttpApiMiddleware.Service<SessionToken>()("@countersign/http/SessionToken", {
  requiredForClient: true,
  error: [Unauthorized, Forbidden],
  security: { sessionToken: HttpApiSecurity.bearer }
}) {
  static readonly needs = { credential: "session" } as const satisfies Needs
}

/** The operator's bearer token. */
export class AdminToken extends HttpApiMiddleware.Service<AdminToken>()("@countersign/http/AdminToken", {
  requiredForClient: true,
  error: Unauthorized,
  security: { adminToken: HttpApiSecurity.bearer }
}) {
  static readonly needs = { credential: "admin" } as const satisfies Needs
}

/** Nothing: anybody may call it. Said on purpose, because an endpoint that says nothing is a mistake. */
export class Open extends HttpApiMiddleware.Service<Open>()("@countersign/http/Open") {
  static readonly needs = { credential: "none" } as const satisfies Needs
}

/** The credentials that speak for one environment of a merchant. */
export type MerchantCredential = AuthKey | LeadsKey | DashboardKey | PublicKey | SessionToken

export type Credential = MerchantCredential | AdminToken | Open
