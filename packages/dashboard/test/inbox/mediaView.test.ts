import { assert, describe, it } from "vitest"
import { isLoadedOnSight, mediaViewOf } from "../../src/screens/inbox/mediaView.ts"

describe("a customer's file", () => {
  it("is shown by its declared type, and the browser gets that type without parameters", () => {
    assert.deepStrictEqual(mediaViewOf("audio/ogg; codecs=opus"), { view: "audio", type: "audio/ogg" })
    assert.deepStrictEqual(mediaViewOf("Image/JPEG"), { view: "picture", type: "image/jpeg" })
    assert.deepStrictEqual(mediaViewOf("video/mp4"), { view: "video", type: "video/mp4" })
    assert.deepStrictEqual(mediaViewOf("application/pdf"), { view: "pdf", type: "application/pdf" })
  })

  it("is a download if a browser could run it, or its type is unknown", () => {
    for (const type of [
      null,
      "",
      "image/svg+xml",
      "text/html",
      "text/html; image/png",
      "application/xhtml+xml",
      "application/xml",
      "text/javascript",
      "application/octet-stream",
      "image/png/x"
    ])
      assert.isNull(mediaViewOf(type), String(type))
  })

  it("is loaded before the user asks only if it is a picture or a short recording", () => {
    assert.isTrue(isLoadedOnSight("picture", 5_000_000))
    assert.isTrue(isLoadedOnSight("audio", null))
    assert.isTrue(isLoadedOnSight("audio", 40_000))
    assert.isFalse(isLoadedOnSight("audio", 16_000_000))
    assert.isFalse(isLoadedOnSight("video", 40_000))
  })
})
