import { Camara, NumberVerification } from "@countersign/camara"
import type { LineInfoSource, NumberVerifierSource, Source } from "@countersign/http"
import { Effect } from "effect"
import { type Plain, plainSource } from "./plainSource.ts"

/** Your application at a mobile operator, or at an aggregator of several. */
export interface CamaraOptions extends Plain<Omit<Camara.LineInfoOptions, "facts">> {
  /** What your contract covers: `simSwapped`, `simSwappedAt`, `recycled`. Default: `simSwapped`. */
  readonly facts?: ReadonlyArray<string> | undefined
}

/**
 * Facts about phone lines from a mobile operator. Pass it in `lineInfo`, not in `channels`.
 *
 * @example
 * ```ts
 * import { Countersign } from "countersign"
 * import { camara } from "countersign/camara"
 *
 * const countersign = await Countersign.make({
 *   database: "./data",
 *   channels: [],
 *   lineInfo: [
 *     camara({
 *       prefixes: ["91"],
 *       apiUrl: "https://api.operator.example",
 *       tokenUrl: "https://auth.operator.example/token",
 *       clientId: process.env.CAMARA_CLIENT_ID,
 *       privateKey: process.env.CAMARA_PRIVATE_KEY
 *     })
 *   ]
 * })
 * ```
 */
export const camara: (options: CamaraOptions) => LineInfoSource = plainSource(
  "camara",
  {
    name: "text?",
    prefixes: "texts?",
    apiUrl: "text",
    tokenUrl: "text",
    clientId: "text",
    privateKey: "secret",
    keyId: "text?",
    audience: "text?",
    purpose: "text?",
    facts: "texts?",
    simSwapPath: "text?",
    numberRecyclingPath: "text?"
  },
  ({ facts, ...options }) =>
    Effect.map(Camara.lineInfo({ ...options, facts: facts as Camara.LineInfoOptions["facts"] }), (adapter) => [adapter])
)

/** Your application at a mobile operator that verifies numbers. */
export interface NumberVerificationOptions extends Plain<NumberVerification.NumberVerificationOptions> {}

const operator: (options: NumberVerificationOptions) => Source<NumberVerification.NumberVerificationOptions> =
  plainSource(
    "camara",
    {
      name: "text?",
      prefixes: "texts?",
      apiUrl: "text",
      tokenUrl: "text",
      authorizeUrl: "text",
      redirectUri: "text",
      clientId: "text",
      privateKey: "secret",
      keyId: "text?",
      audience: "text?",
      purpose: "text?",
      numberVerificationPath: "text?",
      hashed: "boolean?"
    },
    (options) => Effect.as(NumberVerification.make([options]), [options])
  )

/**
 * Verifies numbers over mobile data, by one operator or several. Each number goes to the operator with its longest
 * prefix. Pass it in `verifiers`, not in `channels`.
 *
 * @example
 * ```ts
 * import { Countersign } from "countersign"
 * import { numberVerification } from "countersign/camara"
 *
 * const countersign = await Countersign.make({
 *   database: "./data",
 *   channels: [],
 *   verifiers: [
 *     numberVerification({
 *       apiUrl: "https://api.operator.example",
 *       tokenUrl: "https://auth.operator.example/token",
 *       authorizeUrl: "https://auth.operator.example/authorize",
 *       redirectUri: "https://app.acme.example/number",
 *       clientId: process.env.CAMARA_CLIENT_ID,
 *       privateKey: process.env.CAMARA_PRIVATE_KEY
 *     })
 *   ],
 *   settings: { redirectUris: ["https://acme.example/signed-in"] }
 * })
 * ```
 */
export const numberVerification = (
  ...operators: readonly [NumberVerificationOptions, ...Array<NumberVerificationOptions>]
): NumberVerifierSource => ({
  provider: "camara",
  make: (service) =>
    Effect.forEach(operators, (options) => operator(options).make(service)).pipe(
      Effect.flatMap((checked) => NumberVerification.make(checked.flat())),
      Effect.map((verifier) => [verifier])
    )
})
