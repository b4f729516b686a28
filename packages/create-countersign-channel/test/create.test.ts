import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, describe, it } from "vitest"
import { create } from "../src/create.ts"

const run = promisify(execFile)
const here = join(import.meta.dirname, "..")
const main = join(here, "src", "main.ts")
const directory = mkdtempSync(join(tmpdir(), "create-channel-"))

/** There is no terminal, so it must not prompt. */
const start = (...args: ReadonlyArray<string>) => {
  const running = run(process.execPath, [main, ...args], { cwd: directory, env: { PATH: process.env["PATH"] } })
  running.child.stdin?.end()
  return running
}

const failed = (...args: ReadonlyArray<string>): Promise<string> =>
  start(...args).then(
    () => assert.fail(`${args.join(" ")} succeeds`),
    ({ stderr }: { readonly stderr: string }) => stderr
  )

describe("create-countersign-channel", () => {
  afterAll(() => rmSync(directory, { recursive: true, force: true }))

  it("creates a package with every placeholder filled", async () => {
    const { stdout } = await start("acme-sms")
    assert.match(stdout, /cd acme-sms\n {2}npm install\n {2}npm test\n/)
    const folder = join(directory, "acme-sms")
    const files = readdirSync(folder, { recursive: true }).map(String)
    assert.includeMembers(files, [".gitignore", "README.md", "package.json", "src/channel.ts", "test/channel.test.ts"])
    for (const path of files.filter((name) => /\.\w+$/.test(name))) {
      assert.notMatch(readFileSync(join(folder, path), "utf8"), /\{\{|only EMAIL/, path)
    }
  })

  it("inserts another channel, its recipients and its variables", async () => {
    await start("countersign-channel-big-post-mail", "--channel", "email")
    const channel = readFileSync(join(directory, "countersign-channel-big-post-mail", "src", "channel.ts"), "utf8")
    assert.include(channel, 'name: "EMAIL"')
    assert.include(channel, 'provider: "big-post"')
    assert.include(channel, 'identityTypes: ["EMAIL"]')
    assert.include(channel, 'subject: "subject" in message ? Redacted.value(message.subject) : "",\n')
    const serve = readFileSync(join(directory, "countersign-channel-big-post-mail", "src", "serve.ts"), "utf8")
    assert.include(serve, 'env["BIG_POST_API_KEY"]')
  })

  it("creates a channel with a custom name", async () => {
    const { stdout } = await start("acme-viber", "--channel", "viber")
    assert.include(stdout, "a channel of VIBER")
    const channel = readFileSync(join(directory, "acme-viber", "src", "channel.ts"), "utf8")
    assert.include(channel, 'name: "VIBER"')
    assert.include(channel, 'provider: "acme"')
    assert.include(channel, 'identityTypes: ["MOBILE"]')
    assert.include(channel, 'tell("VIBER", reply, read)')
  })

  it("overwrites nothing, and refuses invalid names and channels", async () => {
    mkdirSync(join(directory, "mine"))
    writeFileSync(join(directory, "mine", "README.md"), "mine")
    assert.match(await failed("mine"), /exists and is not empty/)
    assert.strictEqual(readFileSync(join(directory, "mine", "README.md"), "utf8"), "mine")
    for (const name of [
      "../acme",
      "/tmp/acme",
      "Acme",
      "a b",
      "-acme",
      "acme-",
      "a--b",
      "countersign",
      "a".repeat(65)
    ]) {
      const wanted = { name, channel: "SMS", directory, versionOf: () => "*" } as const
      assert.throws(() => create(wanted), /must start with a lower-case letter|is the name of another package/)
    }
    assert.match(await failed("--", "../acme"), /^"..\/acme" must start with a lower-case letter/)
    assert.match(
      await failed("acme", "--channel", "a fax"),
      /must be one of SMS, WHATSAPP, RCS, EMAIL, or your own name/
    )
    assert.match(await failed("acme", "--channel", "TRUECALLER"), /--channel must be one of/)
    assert.match(await failed("--chanel", "SMS"), /--chanel/)
    assert.match(await failed(), /the name is missing\n\n/)
    assert.deepStrictEqual(
      readdirSync(directory).filter((name) => name.startsWith("acme") && name !== "acme-sms" && name !== "acme-viber"),
      []
    )
  })
})
