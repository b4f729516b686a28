import { Cache, Clock, Context, Duration, Effect, Exit, Layer } from "effect"
import * as Identifier from "../identity/Identifier.ts"
import type { Caller } from "../merchant/Caller.ts"
import { type EnvironmentKind, keyScopes } from "../merchant/Merchant.ts"
import { InvalidCredentials, type MerchantSuspended } from "../merchant/MerchantError.ts"
import { Merchants } from "../merchant/Merchants.ts"
import * as SecretHash from "../secret/SecretHash.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { minutes } from "../time/Instant.ts"
import { steadyTime } from "../time/steadyTime.ts"
import { PersonStore } from "./PersonStore.ts"
import { freshUntil, isLive } from "./Session.ts"

/** How long a process goes on with what it knows of a session: its end is everywhere known within this time. */
const freshness = "3 seconds"
const capacity = 10_000
/** How often the last use of a session is written down. */
const noted = minutes(5)
/** A storage that did not answer is asked again at once, and what is not there is not remembered. */
const timeToLive = (exit: Exit.Exit<unknown, unknown>) =>
  Exit.isSuccess(exit) && exit.value !== null ? freshness : Duration.zero

/** Whom idTokens would be for, if somebody who is signed in could have one: never a key's client id. */
const audience = "countersign:dashboard"

/** 260 random bits. */
const tokenLength = 52
const tokenShape = new RegExp(`^[0-9a-hjkmnp-tv-z]{${tokenLength}}$`)
export const newToken = (): string => Identifier.randomText(tokenLength)
/** What a token is kept as; null for a text that cannot be one. */
export const hashOf = (token: string): string | null => (tokenShape.test(token) ? SecretHash.hash(token) : null)

/** Who is signed in: sessions of the people who work for merchants. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Whom a session speaks for, by the token in its cookie: an agent, in one of their merchant's environments; in the
     * live one where `kind` is null. A session that has ended, and one that never was, are the same.
     */
    readonly callerOf: (
      token: string,
      kind: EnvironmentKind | null
    ) => Effect.Effect<Caller, InvalidCredentials | MerchantSuspended | StoreError>
    /** Has this process ask storage again: after a change of its own. Others do by themselves, within 3 seconds. */
    readonly forget: Effect.Effect<void>
  }
>()("@countersign/core/person/Sessions") {
  static readonly layer: Layer.Layer<Sessions, never, PersonStore | Merchants> = Layer.effect(
    Sessions,
    Effect.gen(function* () {
      const store = yield* PersonStore
      const merchants = yield* Merchants
      const inSteadyTime = yield* steadyTime
      const known = yield* Cache.makeWith(store.session, { capacity, timeToLive })

      const callerOf = Effect.fnUntraced(function* (token: string, kind: EnvironmentKind | null) {
        const hash = hashOf(token)
        const found = hash === null ? null : yield* inSteadyTime(Cache.get(known, hash))
        const now = yield* Clock.currentTimeMillis
        if (hash === null || found === null || !isLive(found.session, found.agent, now)) {
          return yield* new InvalidCredentials()
        }
        const { agent, environments, session } = found
        const caller = yield* merchants.callerIn(environments[kind ?? "live"], audience)
        if (now >= session.lastUsedAt + noted) {
          yield* store.used(session, now)
          yield* Cache.invalidate(known, hash)
        }
        return {
          ...caller,
          scopes: keyScopes,
          person: {
            agentId: agent.id,
            email: agent.email,
            role: agent.role,
            sessionId: session.id,
            freshUntil: freshUntil(session)
          },
          actor: { kind: "AGENT" as const, id: String(agent.id), label: agent.email }
        }
      })

      return Sessions.of({ callerOf, forget: Cache.invalidateAll(known) })
    })
  )
}
