import { Proofs } from "./Proofs.ts"

/** Numbers that a provider proves, without a message. */
export const layer = Proofs.layerNoDeps
