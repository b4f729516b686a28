import { Problem } from "@countersign/core"
import { assert, it } from "vitest"
import { sentenceOf } from "../../src/words/problemWords.ts"

/** Every parameter, as its name. */
const params = new Proxy({}, { get: (_, name) => `{${String(name)}}` })

it("a fault of a file's header has the sentence of its own code", () => {
  const of = (fault: string) =>
    sentenceOf({ code: "CSV_HEADER", params: { fault, max: 100, problem: "has more than 100 columns" } })
  assert.strictEqual(of("CSV_COLUMNS"), "शीर्षक पंक्ति: 100 से ज़्यादा कॉलम हैं; कुछ हटाएँ")
  assert.strictEqual(of("LATER"), "शीर्षक पंक्ति: has more than 100 columns")
})

it("every problem of a field has a sentence in Hindi", () => {
  for (const code of Problem.codes) {
    const sentence = sentenceOf({ code, params }) ?? ""
    assert.match(sentence, /[\u0900-\u097f]/, code)
    // Directions and the agreement of nouns say more than a parameter's value.
    for (const [name] of sentence.matchAll(/\{\w+\}/g)) assert.include(Problem.pattern(code), name.slice(0, -1), code)
  }
})

it("a code that only a newer service has keeps the service's sentence", () => {
  const code = "LATER" as Problem.ProblemCode
  assert.isNull(sentenceOf({ code, params: {} }))
})
