import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { labelOf } from "../../src/auth/verification/deviceLabel.ts"

describe("the name of a device", () => {
  it.each([
    [{ model: "Pixel 8", platform: "Android", osVersion: "15" }, "Pixel 8, Android 15"],
    [{ model: "Pixel 8" }, "Pixel 8"],
    [{ platform: "iOS" }, "iOS"],
    [{ platform: "iOS", osVersion: "19.1" }, "iOS 19.1"],
    [{ model: "  Pixel 8 ", platform: "  ", osVersion: "15" }, "Pixel 8, 15"],
    [{ model: "Pix\u0000el\u001b[31m 8\u202e", platform: "Android\n" }, "Pixel[31m 8, Android"],
    [{ model: "\u0007", platform: "Android" }, "Android"],
    [{ model: "a\ud800b" }, "ab"],
    [{ model: "📱".repeat(200) }, "📱".repeat(80)]
  ])("is made from %j as %s", (info, label) => {
    assert.strictEqual(labelOf(JSON.stringify(info)), label)
  })

  it.each([
    null,
    "{}",
    '{"model":""}',
    '{"model":" ","platform":"\\t"}',
    '{"model":"\\u200b\\u0000"}',
    '{"model":7,"platform":["Android"],"osVersion":{"a":1}}',
    '{"model":null,"__proto__":{"model":"Pixel"}}',
    "[]",
    '{"name":"somebody"}'
  ])("is empty for %s", (info) => {
    assert.isNull(labelOf(info))
  })

  it.prop(
    "has at most 80 visible characters, from any input",
    [Schema.String, Schema.String, Schema.Json],
    ([model, platform, osVersion]) => {
      const label = labelOf(JSON.stringify({ model, platform, osVersion }))
      if (label === null) return
      assert.isAtMost(Array.from(label).length, 80)
      assert.isTrue(label.isWellFormed())
      assert.notMatch(label, /[\p{Cc}\p{Cf}]/u)
      assert.notStrictEqual(label, "")
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop(
    "is found in any stored description",
    [Schema.Record(Schema.String, Schema.Json)],
    ([info]) => {
      labelOf(JSON.stringify(info))
    },
    { arbitrary: { runs: 300 } }
  )
})
