import { Layer } from "effect"
import * as Folding from "./Folding.ts"
import { MerchantUsage } from "./MerchantUsage.ts"
import { Statistics } from "./Statistics.ts"

/** The read side of statistics, for merchants and the operator. Commands need only this. */
export const usage = MerchantUsage.layer.pipe(Layer.provideMerge(Statistics.layer))

/** Statistics of verifications: folding their facts into sums, and queries over them. */
export const layer = Layer.merge(usage, Folding.layer)
