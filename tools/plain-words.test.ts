import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it, onTestFinished } from "vitest"
import { hardPhraseRates, hardPhrases } from "./docs/hardPhrases.ts"
import { workspaceRoot } from "./workspace.ts"

/**
 * Files with texts for users: in the dashboard, on the server's pages, in messages. Add a pattern here once its texts
 * are plain.
 */
const places: ReadonlyArray<string> = [
  "packages/{aws,camara,core,countersign,dashboard,firebase,http,msg91,oidc,passkeys,postgres,provider-http}/src/**/*.{ts,tsx}",
  "packages/{sdk,server,smtp,truecaller,twilio,vonage,webhooks,whatsapp}/src/**/*.{ts,tsx}",
  "examples/login/browser/*.ts"
]

const withoutComments = (source: string) => source.replace(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/[^\n]*/g, "")

/** String and template literals of more than one word. A single word is a name or a value. */
const textsIn = (source: string): ReadonlyArray<string> =>
  [...withoutComments(source).matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)]
    .map(([, quoted, template]) => quoted ?? template ?? "")
    .filter((text) => /\S\s\S/.test(text))

/** The phrases to replace in the texts of a source file. */
const faultsIn = (file: string, source: string): ReadonlyArray<string> =>
  textsIn(source).flatMap((text) =>
    hardPhrases.flatMap(([phrase, instead]) => {
      const [found] = phrase.exec(text) ?? []
      return found === undefined ? [] : [`${file}: "${found}" in "${text.trim().slice(0, 80)}": use ${instead}`]
    })
  )

describe("plain words", () => {
  it("texts for users have no phrase of the list", () => {
    const files = globSync([...places], { cwd: workspaceRoot })
    assert.isAbove(files.length, 200)
    const faults = files.flatMap((file) => faultsIn(file, readFileSync(`${workspaceRoot}/${file}`, "utf8")))
    assert.deepStrictEqual(faults, [])
  })

  it("check docs counts the phrases of docs, tests and source per thousand lines, each file once", () => {
    const root = mkdtempSync(join(tmpdir(), "countersign-words-"))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const write = (file: string, lines: ReadonlyArray<string>) => {
      mkdirSync(join(root, dirname(file)), { recursive: true })
      writeFileSync(join(root, file), lines.join("\n"))
    }
    write("docs/page.md", ["# Page", "Whoever reads this, and nobody else,", "", "goes on."])
    write("packages/core/src/plain.ts", ["/** The amount of a payment. */", "export const amount = 1"])
    write("tools/words.test.ts", ["// anew", "", "", "", ""])
    assert.deepStrictEqual(hardPhraseRates(root), [
      ["docs", 750],
      ["tests", 200],
      ["source", 0]
    ])
  })

  it("every pattern of places matches a file", () => {
    const empty = places.filter((place) => globSync(place, { cwd: workspaceRoot }).length === 0)
    assert.deepStrictEqual(empty, [])
  })

  it("a listed phrase is found in a string and in a template, and not in a comment or a name", () => {
    const source = [
      '// "Nobody has been verified here yet"',
      'const whose = "nobody"',
      'const empty = "Nobody has been verified here yet"',
      "const sure = (name: string) => `Revoke ${name} for good?`"
    ].join("\n")
    assert.deepStrictEqual(faultsIn("words.ts", source), [
      'words.ts: "Nobody" in "Nobody has been verified here yet": use name the actor: the server, the customer, a team member, you',
      'words.ts: "for good" in "Revoke ${name} for good?": use permanently'
    ])
  })
})
