import { assert, describe, it } from "vitest"
import { channelName, channelNames, channelNamesIn, learnChannels } from "../../src/words/channels.ts"

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
})
