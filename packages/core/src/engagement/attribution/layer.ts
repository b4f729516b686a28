import { Layer } from "effect"
import { Attribution } from "./Attribution.ts"
import * as Folding from "./Folding.ts"
import * as Forgetting from "./Forgetting.ts"

/** Where people came from: what apps tell of it, what verifications and leads add to it, and its end. */
export const layer = Layer.mergeAll(Attribution.layerNoDeps, Folding.layer, Forgetting.layer)
