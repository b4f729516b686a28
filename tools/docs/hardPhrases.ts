import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Phrases that are hard to read, each with the wording to use. */
export const hardPhrases: ReadonlyArray<readonly [phrase: RegExp, instead: string]> = [
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

/** The files of a kind that are counted together. */
const kinds = {
  docs: ["*.md", "docs/**/*.md", "packages/*/*.md"],
  tests: ["{packages,examples}/*/test/**/*.{ts,tsx}", "tools/**/*.test.ts"],
  source: ["{packages,examples,bench}/*/src/**/*.{ts,tsx}", "bench/src/**/*.ts", "tools/**/*.ts"]
} as const

const isOurs = (file: string): boolean =>
  !/(^|\/)(node_modules|dist|CHANGELOG\.md)(\/|$)|hardPhrases\.ts$|plain-words\.test\.ts$/.test(file)

/** How many hard phrases a thousand lines of each kind have, comments and names included. */
export const hardPhraseRates = (root: string): ReadonlyArray<readonly [kind: string, rate: number]> => {
  const counted = new Set<string>()
  return Object.entries(kinds).map(([kind, patterns]) => {
    let lines = 0
    let phrases = 0
    for (const file of globSync([...patterns], { cwd: root })) {
      if (!isOurs(file) || counted.has(file)) continue
      counted.add(file)
      const text = readFileSync(join(root, file), "utf8")
      lines += text.split("\n").length
      for (const [phrase] of hardPhrases) phrases += [...text.matchAll(new RegExp(phrase, "gi"))].length
    }
    return [kind, (1_000 * phrases) / lines] as const
  })
}
