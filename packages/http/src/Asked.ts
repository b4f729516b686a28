import type { Effect } from "effect"
import { type By, type Caller, operator } from "@countersign/core"
import type { OperatorOf } from "./AdminTokens.ts"
import * as Authenticate from "./Authenticate.ts"
import * as ClientAddress from "./ClientAddress.ts"
import type { Listening } from "./Handlers.ts"
import type { DashboardOrigin } from "./DashboardOrigin.ts"
import * as SessionCookie from "./SessionCookie.ts"
import type { WireRequest } from "./WireRequest.ts"

/** The decoded parts of a request, and its caller. */
export interface Decoded {
  readonly payload: unknown
  readonly query: unknown
  readonly params: unknown
  readonly caller: Caller | null
}

interface Around {
  readonly operatorOf: OperatorOf | null
  readonly trustedProxies: ClientAddress.TrustedProxies
  readonly originOf: (request: WireRequest) => DashboardOrigin | null
}

const longestUserAgent = 512

/** The `User-Agent`, cut to the length that is stored. */
export const userAgentOf = (request: WireRequest): string | null =>
  request.header("user-agent")?.slice(0, longestUserAgent) ?? null

/**
 * The input of all handlers. The type of each handler's input selects the members that it may use. Rarely used members are
 * computed on access.
 */
export class Asked implements Decoded {
  readonly payload: unknown
  readonly query: unknown
  readonly params: unknown
  readonly caller: Caller | null
  readonly idempotencyKey: string | null
  readonly #request: WireRequest
  readonly #around: Around

  readonly #admitted: Effect.Effect<boolean>

  constructor(
    decoded: Decoded,
    idempotencyKey: string | null,
    request: WireRequest,
    around: Around,
    admitted: Effect.Effect<boolean>
  ) {
    this.#admitted = admitted
    this.payload = decoded.payload
    this.query = decoded.query
    this.params = decoded.params
    this.caller = decoded.caller
    this.idempotencyKey = idempotencyKey
    this.#request = request
    this.#around = around
  }

  get listening(): Listening {
    return { stillAdmitted: this.#admitted, lastEventId: this.#request.header("last-event-id") ?? null }
  }

  get clientAddress(): string | null {
    return ClientAddress.of(this.#request, this.#around.trustedProxies)
  }

  get accept(): string | null {
    return this.#request.header("accept") ?? null
  }

  get bearerToken(): () => string {
    return () => Authenticate.bearer(this.#request)
  }

  get userAgent(): string | null {
    return userAgentOf(this.#request)
  }

  get dashboardOrigin(): DashboardOrigin | null {
    return this.#around.originOf(this.#request)
  }

  /** The session token in the browser's cookie, which may have expired. */
  get sessionToken(): string | null {
    const { dashboardOrigin } = this
    return (dashboardOrigin === null ? null : SessionCookie.read(this.#request, dashboardOrigin)) || null
  }

  /** The nonce in the cookie of a browser that requested a sign-in code. */
  get askNonce(): string | null {
    const { dashboardOrigin } = this
    return (
      (dashboardOrigin === null ? null : SessionCookie.read(this.#request, SessionCookie.asking(dashboardOrigin))) ||
      null
    )
  }

  get operator(): By {
    const known = this.#around.operatorOf?.(Authenticate.bearer(this.#request))
    return { actor: known ?? operator, address: this.clientAddress }
  }
}
