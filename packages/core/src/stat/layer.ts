import { Layer } from "effect"
import * as Folding from "./Folding.ts"
import { Statistics } from "./Statistics.ts"

/** What verifications came to: sums that are made of their facts, and answers from them. */
export const layer = Layer.merge(Statistics.layer, Folding.layer)
