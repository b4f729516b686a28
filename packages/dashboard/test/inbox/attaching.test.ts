import { assert, describe, it } from "vitest"
import { captionProblem, isOfFiles, noFileBecause } from "../../src/screens/inbox/attaching.ts"

describe("pasted and dropped content", () => {
  it("is a file when it has one, also with its name as text", () => {
    assert.isTrue(isOfFiles(["Files"]))
    assert.isTrue(isOfFiles(["text/plain", "Files"]))
    assert.isTrue(isOfFiles(["text/html", "Files"]))
  })

  it("is text when a program copied formatted text or cells beside a picture of them", () => {
    assert.isFalse(isOfFiles(["text/plain", "text/html", "Files"]))
    assert.isFalse(isOfFiles(["text/plain", "text/rtf", "Files"]))
    assert.isFalse(isOfFiles(["text/plain"]))
    assert.isFalse(isOfFiles([]))
  })
})

describe("a file for a draft", () => {
  it("is refused in a private note, and after the 24 hours", () => {
    assert.isUndefined(noFileBecause({ kind: "reply", isWindowOpen: true }))
    assert.isUndefined(noFileBecause({ kind: "template", isWindowOpen: true }))
    assert.strictEqual(noFileBecause({ kind: "template", isWindowOpen: false }), "windowOver")
    for (const isWindowOpen of [true, false])
      assert.strictEqual(noFileBecause({ kind: "note", isWindowOpen }), "inNote")
  })

  it("takes a text of 1,024 characters as its caption, and a recording takes none", () => {
    assert.isUndefined(captionProblem("image", "x".repeat(1_024)))
    assert.deepStrictEqual(captionProblem("document", "x".repeat(1_030)), { over: 6 })
    assert.isUndefined(captionProblem("audio", "  "))
    assert.strictEqual(captionProblem("audio", "Hear this"), "noCaption")
  })
})
