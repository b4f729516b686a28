import { Context, Effect, Layer } from "effect"
import { Channels } from "../../foundation/delivery/Channels.ts"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import type { Caller } from "./Caller.ts"
import type { Settings } from "./Settings.ts"
import { type SettingsWarning, settingsWarnings } from "./settingsTogether.ts"

/** Advice on settings for this server and its channels. */
export class SettingsAdvice extends Context.Service<
  SettingsAdvice,
  {
    /** Settings that are allowed and have no effect or another effect than expected. */
    readonly warnings: (caller: Pick<Caller, "kind">, settings: Settings) => ReadonlyArray<SettingsWarning>
  }
>()("@countersign/core/merchant/SettingsAdvice") {
  static readonly layer: Layer.Layer<SettingsAdvice, never, Channels | LinkAddress> = Layer.effect(
    SettingsAdvice,
    Effect.gen(function* () {
      const { find, names } = yield* Channels
      const { base } = yield* LinkAddress
      return SettingsAdvice.of({
        warnings: ({ kind }, settings) => settingsWarnings(settings, { kind, find, names, links: base !== null })
      })
    })
  )
}
