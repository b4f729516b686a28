import { Layer } from "effect"
import type { DeploymentStore } from "./DeploymentStore.ts"
import type { BillingRules } from "./BillingRules.ts"
import { Keys } from "./Keys.ts"
import type { KeyStore } from "./KeyStore.ts"
import type { PasskeyRule } from "./PasskeyRule.ts"
import { KeyUses } from "./KeyUses.ts"
import { Merchants } from "./Merchants.ts"
import type { MerchantStore } from "./MerchantStore.ts"

/** Only merchants and their keys: enough for operator commands, and the base of every other capability. */
export const layer: Layer.Layer<
  Keys | Merchants,
  never,
  BillingRules | DeploymentStore | KeyStore | MerchantStore | PasskeyRule
> = Keys.layer.pipe(Layer.provideMerge(Merchants.layer), Layer.provide(KeyUses.layer))
