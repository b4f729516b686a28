import {
  type Caller,
  type FreshSignInNeeded,
  InvalidCredentials,
  type InvalidField,
  Merchants,
  type MerchantSuspended,
  originAllowed,
  ScopeMissing,
  SdkSessions
} from "@countersign/core"
import type { StoreError } from "@countersign/core/storage"
import { Effect } from "effect"
import type { OperatorOf } from "./AdminTokens.ts"
import * as AllowedAddresses from "./AllowedAddresses.ts"
import * as ClientAddress from "./ClientAddress.ts"
import { clientIdHeader, clientSecretHeader, type Needs, publicKeyHeader, type Scope } from "./contract/Security.ts"
import type { DashboardOrigin } from "./DashboardOrigin.ts"
import {
  type AddressForbidden,
  type BodyUnreadable,
  LiveKeyMissing,
  type NotFromDashboard,
  OriginForbidden,
  PathUnknown,
  PersonMissing,
  type RoleMissing
} from "./Fault.ts"
import * as Person from "./Person.ts"
import type { WireRequest } from "./WireRequest.ts"

export interface Options {
  /** Null without an admin token. */
  readonly operatorOf: OperatorOf | null
  readonly trustedProxies: ClientAddress.TrustedProxies
  /** The addresses that the operator may call from. Undefined: any address. */
  readonly adminAddresses: ClientAddress.TrustedProxies | undefined
  readonly originOf: (request: WireRequest) => DashboardOrigin | null
}

const longestCredential = 256
const longestToken = 4096

/** The token of `Authorization: Bearer …`, or an empty text. */
export const bearer = (request: WireRequest) =>
  /^Bearer +([^ ]+)$/i.exec(request.header("authorization") ?? "")?.[1] ?? ""

/** A request with a server key, valid or not, is authenticated by that key. Its session cookie is ignored. */
const hasKey = ({ header }: WireRequest): boolean =>
  header(clientIdHeader) !== undefined || header(clientSecretHeader) !== undefined

/** Checks a request's credentials; null when the endpoint needs none, or the operator's. */
export const make = ({ adminAddresses, originOf, operatorOf, trustedProxies }: Options) =>
  Effect.gen(function* () {
    const person = yield* Person.make(originOf)
    const merchants = yield* Merchants
    const sessions = yield* SdkSessions

    const server = (request: WireRequest) => {
      const clientId = request.header(clientIdHeader) ?? ""
      const secret = request.header(clientSecretHeader) ?? ""
      if (clientId.length > longestCredential || secret.length > longestCredential)
        return Effect.fail(new InvalidCredentials())
      const found = merchants.authenticateNow(clientId, secret) ?? merchants.authenticate(clientId, secret)
      return Effect.flatMapEager(found, (caller) => {
        const { serverAddresses } = caller.settings
        if (serverAddresses.length === 0) return Effect.succeed(caller)
        const allowed = AllowedAddresses.rangesOf(serverAddresses)
        return Effect.as(AllowedAddresses.admitted(request, { allowed, of: "KEY", trustedProxies }), caller)
      })
    }

    /** Checks the scope last, so that only the holder of the key learns about it. */
    const within = (scope: Scope) =>
      Effect.flatMapEager((caller: Caller) =>
        caller.scopes.includes(scope) ? Effect.succeed(caller) : Effect.fail(new ScopeMissing({ scope }))
      )

    /**
     * Test keys are often kept carelessly, but agents work in both environments. So a test key must not create an owner, who
     * would then have access to the live environment.
     */
    const ofBoth = (needs: Extract<Needs, { readonly credential: "staff" }>, request: WireRequest, { kind }: Caller) =>
      kind === "test" && needs.of === "merchant" && !Person.changesNothing(request)
        ? Effect.fail(new LiveKeyMissing())
        : Effect.void

    const notForKeys = (request: WireRequest) => Effect.andThen(server(request), Effect.fail(new PersonMissing()))

    const admin = (request: WireRequest) => {
      if (operatorOf === null) return Effect.fail(new PathUnknown())
      // Check the address first, so that other addresses cannot test tokens.
      return Effect.flatMap(
        AllowedAddresses.admitted(request, { allowed: adminAddresses, of: "OPERATOR", trustedProxies }),
        () => (operatorOf(bearer(request)) === null ? Effect.fail(new InvalidCredentials()) : Effect.succeed(null))
      )
    }

    const publicKey = (request: WireRequest) => {
      const key = request.header(publicKeyHeader) ?? ""
      return key.length > longestCredential ? Effect.fail(new InvalidCredentials()) : merchants.callerOfPublicKey(key)
    }

    const session = (request: WireRequest) => {
      const token = bearer(request)
      return token === "" || token.length > longestToken
        ? Effect.fail(new InvalidCredentials())
        : sessions.authenticate(token)
    }

    /** Requests from a web page must come from an allowed origin. */
    const fromAllowedOrigin = (request: WireRequest) =>
      Effect.flatMap((caller: Caller) =>
        originAllowed(caller.settings, request.header("origin") ?? null)
          ? Effect.succeed(caller)
          : Effect.fail(new OriginForbidden())
      )

    /** Adds the client address for the audit log. */
    const fromAddress = <E>(request: WireRequest, admitted: Effect.Effect<Caller, E>) =>
      Effect.map(admitted, (caller): Caller => ({ ...caller, address: ClientAddress.of(request, trustedProxies) }))

    return (
      needs: Needs,
      request: WireRequest
    ): Effect.Effect<
      Caller | null,
      | AddressForbidden
      | BodyUnreadable
      | InvalidCredentials
      | InvalidField
      | LiveKeyMissing
      | MerchantSuspended
      | NotFromDashboard
      | OriginForbidden
      | PathUnknown
      | PersonMissing
      | RoleMissing
      | ScopeMissing
      | FreshSignInNeeded
      | StoreError
    > => {
      switch (needs.credential) {
        case "server":
          return server(request).pipe(within(needs.scope))
        case "staff":
          if (needs.keys === false && hasKey(request)) return notForKeys(request)
          return hasKey(request)
            ? fromAddress(
                request,
                server(request).pipe(
                  within(needs.scope),
                  Effect.tap((caller) => ofBoth(needs, request, caller)),
                  Effect.tap(({ kind }) => Person.sameKind(request, kind))
                )
              )
            : fromAddress(request, person.signedIn(needs, request))
        case "person":
          return hasKey(request) ? notForKeys(request) : fromAddress(request, person.signedIn(needs, request))
        case "signIn":
          return Effect.as(person.fromDashboard(request), null)
        case "public":
          return publicKey(request).pipe(fromAllowedOrigin(request))
        case "session":
          return session(request).pipe(fromAllowedOrigin(request))
        case "admin":
          return admin(request)
        case "none":
          return Effect.succeed(null)
      }
    }
  })
