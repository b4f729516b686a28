import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { lineDiff } from "./codemod/lineDiff.ts"
import { type Rewritten, twilioVerify } from "./codemod/twilioVerify.ts"
import { workspaceRoot } from "./workspace.ts"

const fixture = (name: string) => readFileSync(join(workspaceRoot, "tools/codemod/fixtures", `${name}.txt`), "utf8")

const rewritten = (text: string): Rewritten => {
  const done = twilioVerify("app.ts", text)
  if ("broken" in done) return assert.fail(done.broken)
  return done
}

describe("the codemod from Twilio Verify", () => {
  it.each(["express", "commonjs", "left"])("rewrites what it knows and says what it left: %s", (name) => {
    assert.strictEqual(rewritten(fixture(`${name}.before`)).text, fixture(`${name}.after`))
  })

  it.each(["express", "commonjs", "left"])("done twice is done once: %s", (name) => {
    const once = fixture(`${name}.after`)
    assert.strictEqual(rewritten(once).text, once)
  })

  it("leaves what is not Twilio's, and a file that it cannot read", () => {
    const other = `prisma.user.create({ to, channel: "sms" })\nconst verifications = 1\n`
    assert.deepStrictEqual(rewritten(other), { text: other, calls: 0, left: [] })
    assert.property(twilioVerify("app.ts", "const verifications = = 1"), "broken")
  })

  it("renames no field of another variable of that name", () => {
    const { left, text } = rewritten(
      `const f = async () => { const check = await c.verify.v2.services(s).verificationChecks.create({ to, code })
        return list.map((check) => check.status === "approved") }`
    )
    assert.include(text, `check.status === "approved"`)
    assert.lengthOf(left, 1)
  })

  it("shows what it would do, line by line", () => {
    assert.deepStrictEqual(lineDiff("a\nb\nc", "a\nx\ny\nc"), ["    2 - b", "    2 + x", "    3 + y"])
  })
})
