import { type Caller, RefusedInitiates } from "@countersign/core"
import { Effect, Result } from "effect"
import type { Route } from "../Routes.ts"
import { CountersignError, type Failure } from "../wire.ts"
import { parseObject } from "../WireRequest.ts"

const paths: { readonly [group: string]: "SERVER" | "SDK" } = { auth: "SERVER", sdk: "SDK" }

/** A word by which refusals are counted: of ours alone, and of few. */
const word = /^[A-Za-z][\w.-]{0,59}$/

const reasonOf = (failure: Failure, errorCode: string): string => {
  if (failure._tag === "RateLimited") return failure.limit
  if (failure._tag === "PaymentRequired" && failure.why === "CAP") return "dailyCap"
  if (failure._tag === "InvalidField") return word.test(failure.field) ? failure.field : "body"
  return errorCode === "FORBIDDEN" ? failure._tag : errorCode
}

const unchanged = <A>(effect: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> => effect
const nothing = () => unchanged

/** Remembers initiates that are refused, with what their bodies ask for. What the service itself cannot do is no refusal. */
export const makeNoted = Effect.map(RefusedInitiates, (refused) => (route: Route, caller: Caller | null) => {
  const path = paths[route.group]
  if (caller === null || path === undefined || route.name !== "initiate") return nothing
  return (text: string) =>
    <A>(effect: Effect.Effect<A, Failure>): Effect.Effect<A, Failure> =>
      Effect.tapError(effect, (failure) => {
        const { errorCode, status } = new CountersignError(failure)
        if (status === 500) return Effect.void
        const request = () => (text === "" ? {} : Result.getOrElse(parseObject(text), () => ({})))
        return refused.note(caller, { path, errorCode, reason: reasonOf(failure, errorCode), request })
      })
})
