import { assert } from "@effect/vitest"
import { Cause, Effect, Exit } from "effect"
import { overheard, printed } from "../channel/Overheard.ts"
import { formsOf } from "../channel/secretForms.ts"
import { nobody } from "../channel/trial.ts"
import type { ProverCheck } from "./ProverCheck.ts"
import type { ProverBehaviour } from "./ProverDouble.ts"
import { proverTrial } from "./proverTrial.ts"

const phone = "919876543210"

const situations: ReadonlyArray<Extract<ProverBehaviour, string> | "unreachable"> = [
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

/** What a prover tells about a question: the number and whether it is verified, to whoever asked, and nothing else. */
export const proofLeakChecks: ReadonlyArray<ProverCheck> = situations.map((situation) => [
  `${situation}: neither error, log, trace nor console shows the code, its verifier, a token or anything of a profile`,
  (bench) =>
    Effect.gen(function* () {
      const { heard, layer } = yield* overheard
      const { url } = yield* bench.provider
      const { question, secrets, shown } = yield* Effect.gen(function* () {
        const { ask, provider } = yield* proverTrial(
          bench,
          situation === "unreachable" ? yield* nobody(url) : undefined
        )
        const question = yield* provider.consent({ phone })
        if (situation !== "unreachable") yield* provider.play(situation)
        const exit = yield* ask(question)
        const shown = Exit.isSuccess(exit)
          ? printed({ ...exit.value, phone: null })
          : [Cause.pretty(exit.cause), printed(exit.cause), JSON.stringify(exit.cause)].join("\n")
        return { question, secrets: yield* provider.secrets, shown }
      }).pipe(Effect.provide(layer))
      const all = [question.code, question.codeVerifier, phone, ...secrets, ...bench.secrets]
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
