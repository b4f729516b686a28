import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { overheard, printed } from "../channel/Overheard.ts"
import { formsOf } from "../channel/secretForms.ts"
import { unreachableUrl } from "../channel/trial.ts"
import type { VerifierCheck } from "./VerifierCheck.ts"
import type { VerifierBehaviour } from "./VerifierDouble.ts"
import { type ProofExit, verifierTrial } from "./verifierTrial.ts"

const phone = "919876543210"

const situations: ReadonlyArray<Extract<VerifierBehaviour, string> | "unreachable"> = [
  "accepted",
  "refused",
  "unknownAccount",
  "overloaded",
  "brokenAfter",
  "brokenLater",
  "garbled",
  "garbledLater",
  "slam",
  "unreachable"
]

/** A verifier returns the number and whether it is verified to its caller, and reveals nothing else. */
export const proofLeakChecks: ReadonlyArray<VerifierCheck> = situations.map((situation) => [
  `${situation}: no error, log, trace or console output shows the proof, a token or profile data`,
  (bench) =>
    Effect.gen(function* () {
      const { heard, layer } = yield* overheard
      const { url } = yield* bench.provider
      const { question, secrets, shown } = yield* Effect.gen(function* () {
        const { ask, consent, provider } = yield* verifierTrial(
          bench,
          situation === "unreachable" ? yield* unreachableUrl(url) : undefined
        )
        const consented = yield* Effect.exit(consent({ phone }))
        if (situation !== "unreachable") yield* provider.play(situation)
        const question = Exit.isSuccess(consented) ? consented.value.proof : {}
        const exit: ProofExit = Exit.isSuccess(consented)
          ? yield* ask(consented.value)
          : Exit.failCause(consented.cause)
        const shown = Exit.isSuccess(exit)
          ? printed({ ...exit.value, phone: null })
          : [Cause.pretty(exit.cause), printed(exit.cause), JSON.stringify(exit.cause)].join("\n")
        return { question, secrets: yield* provider.secrets, shown }
      }).pipe(Effect.provide(layer))
      const all = [...Object.values(question), phone, ...secrets, ...bench.secrets]
      for (const [where, text] of [
        ["the answer", shown],
        ["what was logged, traced or printed", yield* heard]
      ] as const) {
        all.forEach((secret, n) => {
          if (formsOf(secret).some((form) => text.includes(form))) assert.fail(`secret ${n + 1} is in ${where}`)
        })
      }
    })
])
