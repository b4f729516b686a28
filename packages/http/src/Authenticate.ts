import {
  type Caller,
  InvalidCredentials,
  Merchants,
  type MerchantSuspended,
  SecretHash,
  type StoreError
} from "@countersign/core"
import { Effect, Redacted } from "effect"
import { clientIdHeader, clientSecretHeader } from "./api/Security.ts"
import { PathUnknown } from "./Fault.ts"
import type { WireRequest } from "./WireRequest.ts"

/** The credentials that an endpoint asks for. */
export type Access = "server" | "admin" | "open"

const longestCredential = 256

/** Checks a request's credentials; null when the endpoint needs none, or the operator's. */
export const make = (adminToken: Redacted.Redacted | undefined) =>
  Effect.map(Merchants, (merchants) => {
    const adminHash = adminToken === undefined ? undefined : SecretHash.hash(Redacted.value(adminToken))

    const server = (request: WireRequest) => {
      const clientId = request.header(clientIdHeader) ?? ""
      const secret = request.header(clientSecretHeader) ?? ""
      return clientId.length > longestCredential || secret.length > longestCredential
        ? Effect.fail(new InvalidCredentials())
        : merchants.authenticate(clientId, Redacted.make(secret))
    }

    const admin = (request: WireRequest) => {
      if (adminHash === undefined) return Effect.fail(new PathUnknown())
      const given = /^Bearer +([^ ]+)$/i.exec(request.header("authorization") ?? "")?.[1] ?? ""
      return SecretHash.equals(SecretHash.hash(given), adminHash)
        ? Effect.succeed(null)
        : Effect.fail(new InvalidCredentials())
    }

    return (
      access: Access,
      request: WireRequest
    ): Effect.Effect<Caller | null, InvalidCredentials | MerchantSuspended | PathUnknown | StoreError> => {
      switch (access) {
        case "server":
          return server(request)
        case "admin":
          return admin(request)
        case "open":
          return Effect.succeed(null)
      }
    }
  })
