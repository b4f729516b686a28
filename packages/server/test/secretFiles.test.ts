import { execFileSync } from "node:child_process"
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Configuration from "../src/Configuration.ts"
import { variables } from "../src/variables/variables.ts"
import { secret } from "./fixture/Service.ts"

const hidden = "hunter2-do-not-print-me"

describe("a secret in a file", () => {
  let directory: string
  const at = (name: string) => join(directory, name)
  const write = async (name: string, content: string | Uint8Array, mode = 0o600) => {
    await writeFile(at(name), content, { mode })
    await chmod(at(name), mode)
    return at(name)
  }
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-secrets-"))
    await mkdir(at("directory"))
    execFileSync("mkfifo", [at("fifo")])
    await symlink(at("loop"), at("loop"))
    await write("empty", "\n")
    await write("large", hidden.repeat(4000))
    await write("lines", `${hidden}\n${hidden}\n`)
    await write("bytes", new Uint8Array([0xff, 0xfe, 0x00]))
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  it("has the value of its variable, without one final newline", async () => {
    const master = secret()
    for (const newline of ["", "\n", "\r\n"]) {
      const { configuration, problems, warnings } = Configuration.examine({
        COUNTERSIGN_SECRET_FILE: await write("master", `${master}${newline}`),
        DATABASE_URL_FILE: await write("url", `postgres://u:p@127.0.0.1:1/x${newline}`),
        COUNTERSIGN_ADMIN_TOKEN_FILE: await write("token", ` ${hidden} ${newline}`)
      })
      assert.deepStrictEqual([problems, warnings], [[], []])
      assert.strictEqual(configuration.secret && Redacted.value(configuration.secret), master)
      assert.strictEqual(configuration.host, "0.0.0.0")
      assert.strictEqual(configuration.adminToken && Redacted.value(configuration.adminToken), ` ${hidden} `)
    }
  })

  it("is supported for every secret variable and no other", async () => {
    const file = await write("any", hidden)
    for (const { name, secret } of variables) {
      const { problems } = Configuration.examine({ [name]: hidden, [`${name}_FILE`]: file })
      const refused = problems.includes(`${name}, ${name}_FILE: both are set; remove one of them`)
      assert.strictEqual(refused, secret === true, name)
    }
  })

  it.each([
    ["missing", /does not exist; a relative path starts at/],
    [hidden, /does not exist/],
    ["directory", /is a directory/],
    ["fifo", /is not a regular file/],
    ["/dev/zero", /is not a regular file/],
    ["loop", /is a symbolic link that points to itself/],
    ["empty", /is empty/],
    ["large", /is larger than 64 KB/],
    ["lines", /must contain only one line/],
    ["bytes", /is not text/]
  ])("that cannot be used is one problem without path and content: %s", (name, expected) => {
    const path = name.startsWith("/") ? name : at(name)
    const { problems } = Configuration.examine({ DATABASE_URL_FILE: path, COUNTERSIGN_SECRET: secret() })
    assert.lengthOf(problems, 1)
    assert.match(problems[0]!, /^DATABASE_URL_FILE: the file /)
    assert.match(problems[0]!, expected)
    assert.notInclude(problems[0]!, "hunter2")
  })

  it("with an invalid value is reported by its file variable, and not also as missing", async () => {
    const { problems } = Configuration.examine({
      COUNTERSIGN_SECRET_FILE: await write("wrong", hidden),
      TWILIO_ACCOUNT_SID: "AC1",
      TWILIO_AUTH_TOKEN_FILE: at("missing")
    })
    assert.lengthOf(problems, 2)
    assert.match(problems[0]!, /^TWILIO_AUTH_TOKEN_FILE: the file does not exist/)
    assert.match(problems[1]!, /^COUNTERSIGN_SECRET_FILE: the file's content must be 32 bytes/)
    assert.notInclude(problems.join(), "hunter2")
  })

  it("that every user can read is a warning, and a relative path starts at the working directory", async () => {
    const { problems, warnings } = Configuration.examine({
      COUNTERSIGN_ADMIN_TOKEN_FILE: await write("open", hidden, 0o644),
      COUNTERSIGN_SECRET_FILE: join("no", "such", "file")
    })
    assert.match(warnings.join("\n"), /^COUNTERSIGN_ADMIN_TOKEN_FILE: every user of this machine can read the file/)
    assert.match(problems.join("\n"), /^COUNTERSIGN_SECRET_FILE: the file does not exist; a relative path/)
  })
})
