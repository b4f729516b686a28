import { History } from "./History.ts"

/** Looking at what happened. */
export const layer = History.layerNoDeps
