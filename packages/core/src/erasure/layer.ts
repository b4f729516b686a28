import { Layer } from "effect"
import * as ErasedWriters from "./erasedWriters.ts"
import * as Erasing from "./Erasing.ts"
import { Erasures } from "./Erasures.ts"
import { Exports } from "./Exports.ts"

/** What people have a right to: to see what is kept of them, and to have it removed. */
export const layer = Layer.mergeAll(Erasures.layerNoDeps, Exports.layerNoDeps, Erasing.layer)

/** Which customers were erased while what they wrote still waited: for the inbox. */
export const writers = ErasedWriters.layer
