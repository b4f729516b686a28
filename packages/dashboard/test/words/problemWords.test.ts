import { Problem } from "@countersign/core"
import { assert, it } from "vitest"
import { sentenceOf } from "../../src/words/problemWords.ts"

/** Every parameter, as its name. */
const params = new Proxy({}, { get: (_, name) => `{${String(name)}}` })

it("every problem of a field has a sentence in Hindi", () => {
  for (const code of Problem.codes) {
    const sentence = sentenceOf({ field: "name", code, params }) ?? ""
    assert.match(sentence, /[\u0900-\u097f]/, code)
    // Directions and the agreement of nouns say more than a parameter's value.
    for (const [name] of sentence.matchAll(/\{\w+\}/g)) assert.include(Problem.pattern(code), name.slice(0, -1), code)
  }
})

it("a code that only a newer service has keeps the service's sentence", () => {
  const code = "LATER" as Problem.ProblemCode
  assert.isNull(sentenceOf({ field: "name", code, params: {} }))
})
