import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { askedToStop } from "../../src/engagement/optOut/askedToStop.ts"
import { isNews, lastOf, onePhone } from "../../src/engagement/optOut/decisions.ts"
import type { OptOut } from "../../src/engagement/optOut/OptOutStore.ts"

describe("a message that opts out of campaigns", () => {
  it.each([
    ["STOP", ["STOP", "stop", " Stop. ", "\n'STOP'!!", "STOP 🛑", "Stop-All", "STOP ALL", "STOPALL", "ＳＴＯＰ"]],
    ["STOP", ["UNSUBSCRIBE", "Unsubscribe please".slice(0, 11), "opt out", "OPT-OUT", "optout", "Stop promotions"]],
    ["STOP", ["रोकें", "रोकें।", "रोको", "बंद", "बंद करें", " बंद  करो "]],
    ["START", ["START", "start!", "UNSTOP", "unstop", "Opt-in", "Subscribe", "शुरू", "शुरू करें"]],
    [
      null,
      [
        null,
        "",
        " ",
        "🛑",
        "stopp",
        "don't stop",
        "Please do not stop",
        "stop it, I want to talk to somebody",
        "the bus stop",
        "non-stop",
        "when do you start?",
        "cancel",
        "CANCEL",
        "end",
        "quit",
        "no",
        "yes",
        "दुकान बंद है",
        `stop${" ".repeat(100)}`,
        "constructor"
      ]
    ]
  ] as const)("has the effect %s for each of %j", (expected, texts) => {
    for (const text of texts) assert.strictEqual(askedToStop(text), expected, String(text))
  })

  const moment = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5 }))
  const saids = Schema.Array(Schema.Struct({ isOut: Schema.Boolean, at: moment }))
  const put = (known: OptOut | null, { at, isOut }: { at: number; isOut: boolean }): OptOut | null => {
    const said = { environment: "env", phone: "+1", by: "MESSAGE", isOut, at } as const
    return isNews(known === null ? [] : [known], said) ? said : known
  }

  it.prop("stays in effect until a later message undoes it, in spite of repeats", [saids, saids], ([first, second]) => {
    const all = [...first, ...second].toSorted((a, b) => a.at - b.at || Number(a.isOut) - Number(b.isOut))
    const inTime = all.reduce(put, null)
    assert.strictEqual(inTime?.isOut ?? false, all.at(-1)?.isOut === true)
    // Repeats in any order change nothing.
    assert.deepStrictEqual([...second, ...first].reduce(put, inTime), inTime)
  })

  it.prop("is never lost, in any order of messages", [saids], ([all]) => {
    const last = all.toSorted((a, b) => a.at - b.at || Number(a.isOut) - Number(b.isOut)).at(-1)
    if (last?.isOut === true) assert.isTrue(all.reduce(put, null)?.isOut)
  })

  it("that was undone stays undone when an older message arrives late", () => {
    const said = [
      { isOut: true, at: 1 },
      { isOut: false, at: 2 },
      { isOut: false, at: 4 },
      { isOut: true, at: 3 }
    ]
    assert.strictEqual(said.reduce(put, null)?.isOut, false)
  })

  it("is looked up under all ids of a person, and the latest one counts", () => {
    const row = (phone: string, isOut: boolean, at: number): OptOut => ({
      environment: "e",
      phone,
      isOut,
      by: "PERSON",
      at
    })
    assert.strictEqual(lastOf([row("+1", false, 1), row("#1", true, 2)])?.isOut, true)
    assert.strictEqual(lastOf([row("#1", true, 2), row("+1", false, 3)])?.isOut, false)
    assert.strictEqual(lastOf([row("+1", false, 2), row("#1", true, 2)])?.isOut, true)
    assert.isNull(lastOf([]))
  })

  it.each([
    ["+5215512345678", "+525512345678"],
    ["+525512345678", "+525512345678"],
    ["+553191234567", "+5531991234567"],
    ["+5531991234567", "+5531991234567"],
    ["+553131234567", "+553131234567"],
    ["+541112345678", "+5491112345678"],
    ["+5491112345678", "+5491112345678"],
    ["+919876543210", "+919876543210"],
    ["+14155552671", "+14155552671"]
  ])("from %s, as WhatsApp writes it, counts for %s", (given, expected) => {
    assert.strictEqual(onePhone(given), expected)
  })
})
