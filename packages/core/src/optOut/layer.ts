import { Clock, Effect, Layer } from "effect"
import { OptOutListener } from "../delivery/OptOutListener.ts"
import { OptOuts } from "./OptOuts.ts"

/** Opt-outs that providers report, in the answer to a send or in a receipt, whatever the message was. */
export const fromProviders = Layer.effect(
  OptOutListener,
  Effect.map(OptOuts, ({ heard }) => ({
    optedOut: (environment: string, phone: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (at) => heard(environment, [{ phone, isOut: true, by: "PROVIDER", at }]))
  }))
).pipe(Layer.provide(OptOuts.layerNoDeps))
