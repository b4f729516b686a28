import { afterEach, assert, describe, it, vi } from "vitest"
import { keptFrom, withRecent } from "../../src/session/recent.ts"
import { type Hit, listedFor, type PaletteEntry, rank, rankOf } from "../../src/shell/rank.ts"

const entry = (label: string, aliases?: string): PaletteEntry => ({
  id: label,
  kind: "",
  label,
  run: () => {},
  ...(aliases === undefined ? {} : { aliases })
})
const hit = (label: string, of: Partial<Hit> = {}): Hit => ({
  entry: entry(label),
  isCertain: false,
  isFresh: true,
  ...of
})

/** The page's own entries in a language. Their modules read the language and the address once, when they load. */
const entriesIn = async (language: "en" | "hi") => {
  vi.resetModules()
  const kept = new Map([["countersign.language", language]])
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: () => {} })
  vi.stubGlobal("location", new URL("http://localhost/dashboard"))
  vi.stubGlobal("history", {})
  vi.stubGlobal("document", { querySelectorAll: () => [], documentElement: { dataset: {} } })
  const { deeds, pages, settings } = await import("../../src/shell/deeds.ts")
  return { always: [...deeds(), ...pages()], settings }
}

describe("the palette", () => {
  afterEach(() => void vi.unstubAllGlobals())

  const first = async (language: "en" | "hi", all: ReadonlyArray<string>, hits: ReadonlyArray<Hit> = []) => {
    const entries = await entriesIn(language)
    return Object.fromEntries(all.map((typed) => [typed, listedFor(typed, { ...entries, hits })[0]?.id]))
  }

  it("finds each task first by the name that everybody uses", async () => {
    const expected = {
      "rate limit": "setting-hourlyLimit",
      "api key": "keys",
      invite: "invite",
      "top up": "topUp",
      unlock: "unlock",
      "opt-out": "optOuts",
      "opt out": "optOuts",
      refund: "money",
      export: "money",
      "log out": "signOut",
      "webhook secret": "webhooks",
      dark: "theme-dark",
      "dark mode": "theme-dark",
      "new secret": "newKey",
      "add webhook": "addEndpoint",
      "new campaign": "newCampaign",
      hindi: "language-hi",
      team: "team",
      "quiet hours": "setting-quietHours"
    }
    assert.deepStrictEqual(await first("en", Object.keys(expected)), expected)
  })

  it("finds the same tasks in Hindi by Hindi and by English words", async () => {
    const expected = {
      "रेट लिमिट": "setting-hourlyLimit",
      "rate limit": "setting-hourlyLimit",
      "API कुंजी": "keys",
      आमंत्रित: "invite",
      न्योता: "invite",
      "टॉप अप": "topUp",
      रिचार्ज: "topUp",
      "top up": "topUp",
      अनलॉक: "unlock",
      "ऑप्ट-आउट": "optOuts",
      रिफंड: "money", // without the nukta, as many type it
      एक्सपोर्ट: "money",
      "लॉग आउट": "signOut",
      "log out": "signOut",
      "वेबहुक सीक्रेट": "webhooks",
      डार्क: "theme-dark",
      अंग्रेज़ी: "language-en"
    }
    assert.deepStrictEqual(await first("hi", Object.keys(expected)), expected)
  })

  it("lists a customer of the typed name before pages and settings with the same letters", async () => {
    const asha = await first("en", ["asha", "ash"], [hit("Asha"), hit("Natasha")])
    assert.deepStrictEqual(asha, { asha: "Asha", ash: "Asha" })
    // A page of exactly the typed name comes before a customer whose name only begins with it.
    assert.deepStrictEqual(await first("en", ["team"], [hit("Team Sharma")]), { team: "team" })
  })

  it("lists first whom the last four digits or a whole number certainly mean", async () => {
    const found = [hit("+91 98123 45678"), hit("Asha · +91******0080", { isCertain: true })]
    assert.deepStrictEqual(await first("en", ["0080"], found), { "0080": "Asha · +91******0080" })
  })

  it("drops a hit for an earlier text, unless it matches the text that is typed now", () => {
    const hits = [hit("+91******0080", { isCertain: true, isFresh: false }), hit("Asha", { isFresh: false })]
    const listed = (typed: string) => listedFor(typed, { always: [], settings: [], hits }).map(({ id }) => id)
    assert.deepStrictEqual([listed("0081"), listed("0080"), listed("ash")], [[], ["+91******0080"], ["Asha"]])
  })

  it("finds pages by scattered letters last, and settings never", () => {
    const always = [entry("Verifications"), entry("Inverse")]
    const settings = [entry("Various fields"), entry("Verifier")]
    const labels = (typed: string) => listedFor(typed, { always, settings, hits: [] }).map(({ id }) => id)
    assert.deepStrictEqual(labels("ver"), ["Verifications", "Verifier", "Inverse"])
    assert.deepStrictEqual(labels("vfs"), ["Verifications"])
    assert.deepStrictEqual(labels("zzz"), [])
  })

  it("ranks whole names before prefixes, prefixes before words, and words before parts of words", () => {
    const ranks = (typed: string, all: ReadonlyArray<string>) => all.map((label) => rankOf({ label }, typed))
    assert.deepStrictEqual(
      ranks("top up", ["Top up…", "Top-up of today", "Add a top-up", "Up to the top", "Stop up", "Tightly mopped up"]),
      [rank.exact, rank.prefix, rank.word, rank.words, rank.substring, rank.letters]
    )
    assert.strictEqual(rankOf({ label: "Réglages" }, "reglages"), rank.exact)
    // Vowel signs tell words apart: a day is not a gift.
    assert.strictEqual(rankOf({ label: "दिन" }, "दान"), rank.none)
  })
})

describe("recently opened items", () => {
  const none = keptFrom(null, "mer_1/7")
  const lead = (id: number) => ({ route: "lead" as const, id: String(id) })

  it("are the last six of an environment, each once, newest first", () => {
    const opened = [1, 2, 3, 4, 5, 6, 7, 3].reduce((kept, id) => withRecent(kept, "live", lead(id)), none)
    assert.deepStrictEqual(
      opened.live.map(({ id }) => id),
      ["3", "7", "6", "5", "4", "2"]
    )
    assert.deepStrictEqual(opened.test, [])
  })

  it("contain references alone, and are of no use to another team member", () => {
    const text = JSON.stringify(withRecent(none, "test", { ...lead(1), name: "Asha" } as ReturnType<typeof lead>))
    assert.strictEqual(text, '{"owner":"mer_1/7","live":[],"test":[{"route":"lead","id":"1"}]}')
    assert.deepStrictEqual(keptFrom(text, "mer_1/7").test, [lead(1)])
    assert.deepStrictEqual(keptFrom(text, "mer_1/8").test, [])
    assert.deepStrictEqual(keptFrom(text, "mer_2/7").test, [])
  })

  it("are empty when the stored text is damaged", () => {
    for (const text of ["", "{", "[]", "null", '{"owner":"o","live":7}', '{"owner":"o","live":[null,{"route":"x"}]}'])
      assert.deepStrictEqual(keptFrom(text, "o").live, [], text)
  })
})
