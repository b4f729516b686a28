import { assert, describe, it } from "vitest"
import { hostsIn, type Manifest, weigh } from "../../build/weigh.ts"

const manifest: Manifest = {
  "index.html": { file: "main.js", isEntry: true, imports: ["_a"], dynamicImports: ["s/x", "s/y"], css: ["main.css"] },
  _a: { file: "a.js", imports: ["_b"] },
  _b: { file: "b.js", imports: ["_a"] },
  "s/x": { file: "x.js", isDynamicEntry: true, imports: ["index.html", "_c"], css: ["x.css"] },
  "s/y": { file: "y.js", isDynamicEntry: true, imports: ["_a", "_c"], dynamicImports: ["lib/plot"] },
  _c: { file: "c.js" },
  "lib/plot": { file: "plot.js", isDynamicEntry: true }
}
const sizes: Readonly<Record<string, number>> = {
  "main.js": 10,
  "a.js": 3,
  "b.js": 2,
  "c.js": 7,
  "x.js": 5,
  "y.js": 6,
  "plot.js": 1000,
  "main.css": 4,
  "x.css": 1
}

describe("the budget of a first load", () => {
  it("counts each chunk once, with the heaviest screen, and not what a screen loads later", () => {
    assert.deepStrictEqual(
      weigh(manifest, (file) => sizes[file] ?? 0),
      { shell: { script: 15, style: 4 }, first: { screen: "s/y", script: 28, style: 5 } }
    )
  })

  it("counts the scripts and styles inside the HTML", () => {
    const { first, shell } = weigh(manifest, (file) => sizes[file] ?? 0, { script: 100, style: 1 })
    assert.deepStrictEqual([first.script, first.style, shell.script], [128, 6, 115])
  })

  it("equals the shell without screens", () => {
    const alone: Manifest = { "index.html": { file: "main.js", isEntry: true } }
    assert.deepStrictEqual(weigh(alone, () => 9).first, { screen: null, script: 9, style: 0 })
    assert.throws(() => weigh({}, () => 9), "no entry")
  })

  it("finds host names, except namespaces and examples", () => {
    const text = `"http://www.w3.org/2000/svg" https://example.com/hook http://localhost:1 "https://cdn.evil.test/x.js" //c`
    assert.deepStrictEqual(hostsIn(text), ["cdn.evil.test"])
  })
})
