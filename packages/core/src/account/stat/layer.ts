import { Layer } from "effect"
import * as Folding from "./Folding.ts"
import { MerchantUsage } from "./MerchantUsage.ts"
import { Statistics } from "./Statistics.ts"

/** What is read of them, for merchants and for the operator: all that a command needs. */
export const usage = MerchantUsage.layer.pipe(Layer.provideMerge(Statistics.layer))

/** What verifications came to: sums that are made of their facts, and answers from them. */
export const layer = Layer.merge(usage, Folding.layer)
