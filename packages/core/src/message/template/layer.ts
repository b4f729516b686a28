import { Layer } from "effect"
import { SenderIds } from "./SenderIds.ts"
import { Templates } from "./Templates.ts"

/** Merchants' own templates and sender ids. */
export const layer = Layer.mergeAll(Templates.layerNoDeps, SenderIds.layerNoDeps)
