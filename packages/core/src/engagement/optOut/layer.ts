import { Clock, Effect, Layer } from "effect"
import { OptOutListener } from "../../foundation/delivery/OptOutListener.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { OptOuts } from "./OptOuts.ts"

/** Opt-outs that providers report in the response to a send or in a receipt, for any kind of message. */
export const fromProviders = Layer.effect(
  OptOutListener,
  Effect.map(OptOuts, ({ heard }) => ({
    optedOut: (environment: string, phone: string, at: Instant) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        heard(environment, [{ phone, isOut: true, by: "PROVIDER", at: Math.min(at, now) }])
      )
  }))
).pipe(Layer.provide(OptOuts.layerNoDeps))
