import { assert, describe, it } from "vitest"
import { titleOf } from "../../src/shell/titleOf.ts"

describe("the title of a tab", () => {
  it("begins with the number of customers who wait, if any do", () => {
    assert.strictEqual(titleOf(["Inbox", "Countersign"], undefined), "Inbox · Countersign")
    assert.strictEqual(titleOf(["Test", "Inbox", "Countersign"], "50+"), "(50+) Test · Inbox · Countersign")
  })
})
