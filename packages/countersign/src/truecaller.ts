import type { NumberVerifierSource } from "@countersign/http"
import { Truecaller } from "@countersign/truecaller"
import { Effect } from "effect"
import { type Plain, plainSource } from "./plainSource.ts"

/** Your application at Truecaller. */
export interface TruecallerOptions extends Plain<Truecaller.Options> {}

/**
 * Verifies numbers with Truecaller, without a message. Pass it in `verifiers`, not in `channels`.
 *
 * @example
 * ```ts
 * import { Countersign } from "countersign"
 * import { truecaller } from "countersign/truecaller"
 *
 * const countersign = await Countersign.make({
 *   database: "./data",
 *   channels: [],
 *   verifiers: [truecaller({ clientId: process.env.TRUECALLER_CLIENT_ID })]
 * })
 * ```
 */
export const truecaller: (options: TruecallerOptions) => NumberVerifierSource = plainSource(
  "truecaller",
  { clientId: "text", apiUrl: "text?" },
  (options) => Effect.map(Truecaller.make(options), (verifier) => [verifier])
)
