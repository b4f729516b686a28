import { type Caller, RefusedInitiates } from "@countersign/core"
import { Effect, Exit, Result } from "effect"
import type { Route } from "../Routes.ts"
import { CountersignError, type Failure } from "../wire.ts"
import { parseObject } from "../WireRequest.ts"

const paths: { readonly [endpoint: string]: "SERVER" | "SDK" } = {
  "auth.initiate": "SERVER",
  "deliveries.create": "SERVER",
  "sdk.initiate": "SDK"
}

/** Refusals are counted by field names, which must be short and come from the contract. */
const word = /^[A-Za-z][\w.-]{0,59}$/

const reasonOf = (failure: Failure, errorCode: string): string => {
  if (failure._tag === "RateLimited") return failure.limit
  if (failure._tag === "GuardRefused") return `guard.${failure.reason}`
  if (failure._tag === "PaymentRequired" && failure.why === "CAP") return "dailyCap"
  if (failure._tag === "InvalidField") return word.test(failure.field) ? failure.field : "body"
  return errorCode === "FORBIDDEN" ? failure._tag : errorCode
}

const unchanged = <A>(effect: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> => effect
const nothing = () => unchanged

/** Records refused initiates and relayed codes with their channel and identity. Failures of the service do not count as refusals. */
export const makeNoted = Effect.map(RefusedInitiates, (refused) => (route: Route, caller: Caller | null) => {
  const path = paths[`${route.group}.${route.name}`]
  if (caller === null || path === undefined) return nothing
  return (text: string) =>
    <A>(effect: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> =>
      Exit.isExit(effect) && Exit.isSuccess(effect)
        ? effect
        : Effect.tapError(effect, (failure) => {
            const { errorCode, status } = new CountersignError(failure)
            if (status === 500) return Effect.void
            const request = () => (text === "" ? {} : Result.getOrElse(parseObject(text), () => ({})))
            return refused.note(caller, { path, errorCode, reason: reasonOf(failure, errorCode), request })
          })
})
