import { build } from "vite"
import { assert, describe, it } from "vitest"
import { oneLanguage } from "../../build/oneLanguage.ts"
import type { Language } from "../../src/words/language.ts"

/** A file's code as the page is built in one language. */
const built = async (text: string, language: Language) => {
  const output = await build({
    configFile: false,
    logLevel: "silent",
    plugins: [
      oneLanguage(language),
      {
        name: "text",
        resolveId: (id) => (id === "page.ts" ? id : null),
        load: (id) => (id === "page.ts" ? text : null)
      }
    ],
    build: { write: false, minify: false, rolldownOptions: { input: "page.ts", external: /language\.ts$/ } }
  })
  return JSON.stringify(output)
}

const imported = 'import { choose } from "/src/words/language.ts"\n'

describe("a build in one language", () => {
  it("has the texts of that language alone, wherever they are written", async () => {
    const text = `${imported}
      const en = { count: (n) => n + " codes", title: "Settings" }
      const hi = { count: (n) => n + " कोड", title: "सेटिंग्स" }
      console.log(choose({ en, hi }).title, choose({ en: { name: "Team" }, hi: { name: "टीम" } }).name)`
    const [en, hi] = await Promise.all([built(text, "en"), built(text, "hi")])
    assert.include(en, "Settings")
    assert.include(en, "Team")
    assert.notMatch(en, /[\u0900-\u097f]/)
    assert.include(hi, "सेटिंग्स")
    assert.include(hi, "टीम")
    assert.notMatch(hi, /Settings|Team/)
  })

  it("fails where a text is not written in every language", async () => {
    const error = await built(`${imported} console.log(choose(globalThis.texts))`, "hi").catch(String)
    assert.include(error, "choose needs an object with the texts of every language")
  })
})
