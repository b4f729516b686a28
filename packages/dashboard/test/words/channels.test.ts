import { assert, describe, it } from "vitest"
import { channelName, channelNames, channelNamesIn, learnChannels, wayNames } from "../../src/words/channels.ts"

describe("the channels that screens name", () => {
  it("are the standard ones until the service answers, then its own with their labels", () => {
    assert.deepStrictEqual(channelNames(), ["SMS", "WHATSAPP", "RCS", "EMAIL"])
    assert.strictEqual(channelName("LINE_APP"), "Line app")
    learnChannels([
      { channel: "SMS", label: "Text" },
      { channel: "LINE_APP", label: "LINE" }
    ])
    assert.deepStrictEqual(channelNames(), ["SMS", "LINE_APP"])
    assert.deepStrictEqual(["SMS", "LINE_APP", "VIBER", "TRUECALLER", "WHATSAPP"].map(channelName), [
      "SMS",
      "LINE",
      "Viber",
      "Truecaller",
      "WhatsApp"
    ])
    assert.deepStrictEqual(channelNamesIn({ VIBER: 15, SMS: 20 }), ["SMS", "LINE_APP", "VIBER"])
    learnChannels([])
  })

  it("are followed by the service's number verifiers in filters by verifier", () => {
    assert.deepStrictEqual(wayNames(), channelNames())
    learnChannels([{ channel: "SMS", label: "Text" }], [{ verifier: "SILENT_AUTH", label: "Silent authentication" }])
    assert.deepStrictEqual([wayNames(), channelNames()], [["SMS", "SILENT_AUTH"], ["SMS"]])
    assert.strictEqual(channelName("SILENT_AUTH"), "Silent authentication")
    learnChannels([])
  })
})
