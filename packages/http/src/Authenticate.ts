import {
  type Caller,
  InvalidCredentials,
  Merchants,
  type MerchantSuspended,
  originAllowed,
  ScopeMissing,
  SdkSessions,
  SecretHash
} from "@countersign/core"
import type { StoreError } from "@countersign/core/storage"
import { Effect, Redacted } from "effect"
import { clientIdHeader, clientSecretHeader, type Needs, publicKeyHeader, type Scope } from "./contract/Security.ts"
import { OriginForbidden, PathUnknown } from "./Fault.ts"
import type { WireRequest } from "./WireRequest.ts"

const longestCredential = 256
const longestToken = 4096

/** The token of `Authorization: Bearer …`; empty where there is none. */
export const bearer = (request: WireRequest) =>
  /^Bearer +([^ ]+)$/i.exec(request.header("authorization") ?? "")?.[1] ?? ""

/** Checks a request's credentials; null when the endpoint needs none, or the operator's. */
export const make = (adminToken: Redacted.Redacted | undefined) =>
  Effect.gen(function* () {
    const merchants = yield* Merchants
    const sessions = yield* SdkSessions
    const adminHash = adminToken === undefined ? undefined : SecretHash.hash(Redacted.value(adminToken))

    const server = (request: WireRequest) => {
      const clientId = request.header(clientIdHeader) ?? ""
      const secret = request.header(clientSecretHeader) ?? ""
      return clientId.length > longestCredential || secret.length > longestCredential
        ? Effect.fail(new InvalidCredentials())
        : merchants.authenticate(clientId, Redacted.make(secret))
    }

    /** What the key was made for is asked last: only who holds the key learns of it. */
    const within = (scope: Scope) =>
      Effect.flatMap((caller: Caller) =>
        caller.scopes.includes(scope) ? Effect.succeed(caller) : Effect.fail(new ScopeMissing({ scope }))
      )

    const admin = (request: WireRequest) => {
      if (adminHash === undefined) return Effect.fail(new PathUnknown())
      return SecretHash.equals(SecretHash.hash(bearer(request)), adminHash)
        ? Effect.succeed(null)
        : Effect.fail(new InvalidCredentials())
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

    /** Whoever calls from a web page calls from one that the merchant allows. */
    const fromAllowedOrigin = (request: WireRequest) =>
      Effect.flatMap((caller: Caller) =>
        originAllowed(caller.settings, request.header("origin") ?? null)
          ? Effect.succeed(caller)
          : Effect.fail(new OriginForbidden())
      )

    return (
      needs: Needs,
      request: WireRequest
    ): Effect.Effect<
      Caller | null,
      InvalidCredentials | MerchantSuspended | OriginForbidden | PathUnknown | ScopeMissing | StoreError
    > => {
      switch (needs.credential) {
        case "server":
        case "staff":
          return server(request).pipe(within(needs.scope))
        case "person":
          return Effect.fail(new InvalidCredentials())
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
