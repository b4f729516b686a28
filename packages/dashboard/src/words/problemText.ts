import type { FieldProblem } from "@countersign/http"
import { signal } from "@preact/signals"
import { language } from "./language.ts"

/** A problem inside an answer: the service's English sentence, and its code unless the sentence is a provider's. */
interface Worded {
  readonly problem: string
  readonly code: FieldProblem["code"] | null
  readonly params: FieldProblem["params"]
}

interface Words {
  readonly sentenceOf: (problem: Pick<FieldProblem, "code" | "params">) => string | null
}

const words = signal<Words | null>(null)
if (language !== "en")
  void import("./problemWords.ts").then(
    (loaded) => (words.value = loaded),
    () => {} // the English sentences stay
  )

/** The problem in the reader's language. Reads a signal: the service's sentence stays until the words are loaded. */
export const problemText = ({ code, params, problem }: Worded): string =>
  (code === null ? null : words.value?.sentenceOf({ code, params })) ?? problem
