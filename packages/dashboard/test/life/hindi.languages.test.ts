import { afterEach, assert, describe, it, vi } from "vitest"
import { item, verification } from "./Lives.ts"

/** The steps in Hindi. Their modules read the language once, when they load. */
const stepsInHindi = async () => {
  vi.resetModules()
  vi.stubGlobal("localStorage", { getItem: () => "hi", setItem: () => {} })
  return (await import("../../src/life/stepsOf.ts")).stepsOf
}

describe("a verification's timeline in Hindi", () => {
  // The files of a process share modules: the next one loads them anew.
  afterEach(() => {
    vi.unstubAllGlobals()
    vi.resetModules()
  })

  it("says in Hindi why there was no fallback, why it began and why the verification failed", async () => {
    const stepsOf = await stepsInHindi()
    const notes = stepsOf(verification(), [
      item(0, "FALLBACK_SKIPPED", {}, "no fallback: no fallbackChannel is set, or it cannot reach this identity"),
      item(1, "FALLBACK_SKIPPED", {}, "no fallback: already used at 10:32:37"),
      item(2, "FALLBACK_SKIPPED", {}, "no fallback: EMAIL accepted it, and sends no receipts"),
      item(3, "FALLBACK_STARTED", { channel: "SMS" }, "no receipt within 30 s"),
      item(4, "FAILED", {}, "no message could be delivered")
    ]).map(({ note }) => note)
    assert.deepStrictEqual(notes, [
      "फ़ॉलबैक चैनल सेट नहीं है, या वह इस उपयोगकर्ता तक नहीं पहुँच सकता",
      "पहले ही इस्तेमाल हो चुका है (10:32:37 UTC)",
      "ईमेल ने संदेश लिया, और डिलीवरी रिपोर्ट नहीं भेजता",
      "30 से॰ में डिलीवरी रिपोर्ट नहीं आई",
      "कोई संदेश डिलीवर नहीं हो सका"
    ])
  })

  it("shows a reason that it does not know as the service says it", async () => {
    const stepsOf = await stepsInHindi()
    const [step] = stepsOf(verification(), [item(0, "FAILED", {}, "a new reason")])
    assert.strictEqual(step!.note, "a new reason")
  })
})
