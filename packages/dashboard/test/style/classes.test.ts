import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, it } from "vitest"

const source = fileURLToPath(new URL("../../src", import.meta.url))

/** The styles of all screens are one sheet, so a class defined by two screens would combine both. */
it("each CSS class is styled in one file", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".css"))
  const homes = new Map<string, string>()
  for (const file of files.map((name) => join(source, name))) {
    const home = relative(source, file)
    for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/^ {0,2}\.([\w-]+)(?=[ ,])/gm)) {
      assert.strictEqual(
        homes.get(name) ?? home,
        home,
        `.${name}: name one of them after its screen, or make it a part`
      )
      homes.set(name, home)
    }
  }
  assert.isAbove(homes.size, 100)
})
