import type { Plugin } from "vite"
import type { Language } from "../src/words/language.ts"

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface Choice extends Node {
  readonly callee: { readonly name?: string }
  readonly arguments: ReadonlyArray<
    Node & { readonly properties?: ReadonlyArray<{ readonly key: { readonly name: string }; readonly value: Node }> }
  >
}

/** All calls of `choose` in a parsed file. */
const choicesIn = (node: unknown, found: Array<Choice> = []): ReadonlyArray<Choice> => {
  if (Array.isArray(node)) for (const each of node) choicesIn(each, found)
  else if (typeof node === "object" && node !== null) {
    const { callee, type } = node as Partial<Choice>
    if (type === "CallExpression" && callee?.name === "choose") found.push(node as Choice)
    else for (const each of Object.values(node)) choicesIn(each, found)
  }
  return found
}

/**
 * Builds the page in one language: each `choose({ en, hi })` becomes the texts of that language, so the other language's
 * texts are not in the files.
 */
export const oneLanguage = (language: Language): Plugin => ({
  name: "one-language",
  enforce: "post",
  transform(code, id) {
    if (id.endsWith("src/words/language.ts"))
      return code.replace(/const language = [^;\n]+/, `const language = ${JSON.stringify(language)}`)
    if (!/\bchoose\(/.test(code) || !code.includes("/language.ts")) return null
    let one = ""
    let at = 0
    for (const {
      arguments: [texts],
      end,
      start
    } of choicesIn(this.parse(code))) {
      const chosen = texts?.properties?.find(({ key }) => key.name === language)
      if (chosen === undefined) throw new Error(`${id}: choose needs an object with the texts of every language`)
      one += `${code.slice(at, start)}(${code.slice(chosen.value.start, chosen.value.end)})`
      at = end
    }
    return one + code.slice(at)
  }
})
