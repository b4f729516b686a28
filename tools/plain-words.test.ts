import { globSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { workspaceRoot } from "./workspace.ts"

/**
 * Files with texts for users: in the dashboard, on the server's pages, in messages. Add a pattern here once its texts
 * are plain.
 */
const places: ReadonlyArray<string> = [
  "packages/{aws,core,countersign,dashboard,http,msg91,oidc,passkeys,postgres,provider-http}/src/**/*.{ts,tsx}",
  "packages/{sdk,server,smtp,truecaller,twilio,vonage,webhooks,whatsapp}/src/**/*.{ts,tsx}",
  "examples/login/browser/*.ts"
]

/** Phrases that are hard to read, each with the wording to use. */
const hard: ReadonlyArray<readonly [phrase: RegExp, instead: string]> = [
  [/\b(no|some|every|any)body('s)?\b/i, "name the actor: the server, the customer, a team member, you"],
  [/\b(who|what|which|wher)ever\b/i, "name the thing, or use if, any, all"],
  [/\banew\b/i, "again"],
  [/\bat once\b/i, "immediately, or at the same time"],
  [/\b(puts?|putting) down\b|\bput aside\b/i, "add, record or save"],
  [/\b(is|are|was|were|be) told\b|\btells? of\b/i, "receives, is notified of, shows"],
  [/\bsays? so\b|\bsaid so\b|\bunsaid\b/i, "reports, returns, not set"],
  [/\bwhat (becomes|became) of\b/i, "the outcome of, the status of"],
  [/\bso many\b|\bso often\b/i, "this many, too often, a number"],
  [/\bmend(s|ed)?\b/i, "fix"],
  [/\bthere (is|are) none\b|\bwants? none\b/i, "none, no …, opted out"],
  [/\b(is|are|was|were) let in\b|\blet back in\b/i, "signs in, is allowed, reactivate"],
  [/\bgo(es)? on\b|\bread on\b/i, "continue, resume, load more"],
  [/\bfor good\b|\bfor ever\b/i, "permanently"],
  [/\b(hand|hands|handed) over\b/i, "send, sent"],
  [/\btak(e|es|en) back\b|\btook back\b/i, "undo, remove, recall"],
  [/\bpa(y|ys|id) in\b/i, "top up, add to the balance"],
  [/\bhears? of\b/i, "receives"],
  [/\bstays? silent\b|\bsilent for\b/i, "sends no receipt"],
  [/\bleft alone\b/i, "paused"],
  [/\bnot any more\b|\bany more\b/i, "no longer"],
  [/\b(besides|thereby|hence|thus|whilst)\b/i, "also, or a new sentence"]
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
    hard.flatMap(([phrase, instead]) => {
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
