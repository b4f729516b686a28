import { type Browser, type Granted, Instant, type AccountStatus } from "@countersign/core"
import { Redacted } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type { DashboardOrigin } from "../DashboardOrigin.ts"
import * as SessionCookie from "../SessionCookie.ts"
import type { SignedInAnswer } from "./contract.ts"

/** The cookie's lifetime: the longest life of a session. Every request checks whether the session is still valid. */
export const sessionLife = Instant.days(7) / 1_000

/** The lifetime of the cookie of a requested sign-in code. */
export const askLife = Instant.hours(1) / 1_000

interface Visit {
  readonly clientAddress: string | null
  readonly userAgent: string | null
  readonly sessionToken: string | null
}

export const browserOf = ({ clientAddress, sessionToken, userAgent }: Visit): Browser => ({
  address: clientAddress,
  userAgent,
  token: sessionToken
})

export const shown = ({ agent, merchant, merchants }: AccountStatus): typeof SignedInAnswer.Type => ({
  agent: { id: agent.id, email: agent.email, role: agent.role },
  merchant,
  merchants
})

/** The token goes only into the cookie. */
export const withCookie =
  (dashboardOrigin: DashboardOrigin) =>
  (granted: Granted): HttpApiSchema.withHeaders<typeof SignedInAnswer.Type, { readonly "set-cookie": string }> =>
    HttpApiSchema.withHeaders({
      body: shown(granted),
      headers: { "set-cookie": SessionCookie.set(dashboardOrigin, Redacted.value(granted.token), sessionLife) }
    })
