import { Layer } from "effect"
import { Attribution } from "./Attribution.ts"
import * as Folding from "./Folding.ts"
import * as Forgetting from "./Forgetting.ts"

/** Attribution: apps' reports, facts from verifications and leads, and the deletion of old data. */
export const layer = Layer.mergeAll(Attribution.layerNoDeps, Folding.layer, Forgetting.layer)
