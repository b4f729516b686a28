import { Firebase } from "@countersign/firebase"
import type { NumberVerifierSource } from "@countersign/http"
import { Effect } from "effect"
import { type Plain, plainSource } from "./plainSource.ts"

/** The Firebase project of your apps. */
export interface FirebaseOptions extends Plain<Firebase.Options> {}

/**
 * Verifies numbers with Firebase Phone Number Verification, without a message. Pass it in `verifiers`, not in
 * `channels`.
 *
 * @example
 * ```ts
 * import { Countersign } from "countersign"
 * import { firebase } from "countersign/firebase"
 *
 * const countersign = await Countersign.make({
 *   database: "./data",
 *   channels: [],
 *   verifiers: [firebase({ projectNumber: "123456789012", projectId: "acme-login" })]
 * })
 * ```
 */
export const firebase: (options: FirebaseOptions) => NumberVerifierSource = plainSource(
  "firebase",
  { projectNumber: "text", projectId: "text", merchants: "texts?", keysUrl: "text?" },
  (options) => Effect.map(Firebase.make(options), (verifier) => [verifier])
)
