import { readFileSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Configuration from "../src/Configuration.ts"
import { unknownVariables } from "../src/unknownVariables.ts"
import { groups, variables } from "../src/variables/variables.ts"
import { phone } from "./fixture/Client.ts"
import { runHere } from "./fixture/Command.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import { run, serve } from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

const page = readFileSync(new URL("../../../docs/configuration.md", import.meta.url), "utf8")

describe("environment variables", () => {
  it("that the server reads are exactly those on the configuration page", () => {
    const read = new Set<string>()
    const everything = new Proxy(
      {},
      {
        get: (_, name) => {
          read.add(String(name))
          return "x"
        }
      }
    )
    Configuration.examine(everything)
    Configuration.examine({})
    const documented = [...page.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, name]) => name!)
    assert.deepStrictEqual(variables.map(({ name }) => name).sort(), documented.sort())
    const files = variables.flatMap(({ name, secret }) => (secret === true ? [`${name}_FILE`] : []))
    assert.deepStrictEqual([...read].sort(), [...documented, ...files].sort())
  })

  it("have a description each, which names only existing variables", () => {
    const names = new Set(variables.map(({ name }) => name))
    assert.strictEqual(names.size, variables.length)
    assert.strictEqual(new Set(groups.map(({ id }) => id)).size, groups.length)
    for (const { about, example, name, needs = [] } of variables) {
      assert.match(about, /^[a-z`].{10,140}[^.]$/, name)
      assert.notStrictEqual(example, "", name)
      for (const need of needs) assert.isTrue(names.has(need) && need !== name, `${name} needs ${need}`)
    }
  })

  it("with a secret-like name are secrets: they can be read from files and are never printed", () => {
    // The last is the public address of the endpoint that issues tokens.
    const open = /PUBLIC_KEY$|KEY_ID$|^VONAGE_API_KEY$|^CAMARA_TOKEN_URL$/
    for (const { name, secret } of variables)
      if (/SECRET|TOKEN|PASSWORD|_KEY$|DATABASE_URL|SMTP_URL/.test(name) && !open.test(name))
        assert.isTrue(secret, name)
  })

  it.each([
    ["COUNTERSIGN_SECRTE", "COUNTERSIGN_SECRET"],
    ["COUNTERSIGN_DATADIR", "COUNTERSIGN_DATA_DIR"],
    ["TWILIO_SID", "TWILIO_ACCOUNT_SID"],
    ["SMTP_URI", "SMTP_URL"],
    ["COUNTERSIGN_ADMIN_TOKENFILE", "COUNTERSIGN_ADMIN_TOKEN_FILE"],
    ["COUNTERSIGN_SECRET_PATH", "COUNTERSIGN_SECRET_FILE"],
    ["WHATSAPP_PHONE_NUMBER_ID", "WHATSAPP_PHONE_NUMBER_IDS"],
    ["TRUECALLER_CLIENTID", "TRUECALLER_CLIENT_ID"],
    ["MSG91_AUTHKEY", "MSG91_AUTH_KEY"],
    ["TRUECALLER_ZZZZZZZZZZZZZZZZZZZ", undefined]
  ])("that do not exist are reported with the closest name, without their value: %s", (name, meant) => {
    const [line, ...rest] = unknownVariables({ [name]: "hunter2", PATH: "/bin", SMTP_FROM: "a@x" })
    assert.strictEqual(line, `${name}: unknown variable${meant === undefined ? "" : `; did you mean ${meant}?`}`)
    assert.deepStrictEqual(rest, [])
  })

  it("outside our prefixes are reported if they are one typo from a variable that is not set", () => {
    for (const [name, meant] of [
      ["DATABASE_ULR", "DATABASE_URL"],
      ["PUBLICURL", "PUBLIC_URL"],
      ["TWILLIO_FROM", "TWILIO_FROM"],
      ["TRUSTED_PROXY", null],
      ["DATABASE_USER", null],
      ["PORTS", null]
    ] as const) {
      const lines = unknownVariables({ [name]: "hunter2" })
      const expected = meant === null ? [] : [`${name}: unknown variable; did you mean ${meant}?`]
      assert.deepStrictEqual(lines, expected)
    }
    assert.deepStrictEqual(unknownVariables({ DATABASE_ULR: "x", DATABASE_URL: "postgres://x" }), [])
  })

  it("that are empty or belong to other programs are not reported", () => {
    const lines = unknownVariables({ COUNTERSIGN_X: " ", MY_TWILIO_SID: "x", SMTPX: "x" })
    assert.deepStrictEqual(lines, [])
  })
})

describe("the start", () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-variables-"))
    await writeFile(
      join(directory, "sms.mjs"),
      `import { appendFile } from "node:fs/promises"
      export default { name: "SMS", provider: "acme", send: ({ to, text }) => appendFile("sent.txt", to + " " + text + "\\n") }`
    )
    await writeFile(
      join(directory, "mail.ts"),
      `interface Words { readonly to: string }
      export default { name: "EMAIL", provider: "acme", send: async ({ to }: Words): Promise<void> => void to }`
    )
    await writeFile(join(directory, "enum.ts"), `enum Name { SMS }\nexport default Name`)
    await writeFile(join(directory, "words.txt"), "words")
    await writeFile(join(directory, "wrong.mjs"), `export default { name: "sms", send: () => {} }`)
    await writeFile(join(directory, "throws.mjs"), `throw new Error("hunter2")`)
    await mkdir(join(directory, "elsewhere", "node_modules", "effect"), { recursive: true })
    await writeFile(join(directory, "elsewhere", "node_modules", "effect", "package.json"), `{ "name": "effect" }`)
    await writeFile(
      join(directory, "elsewhere", "effectful.mjs"),
      `export default { name: "SMS", provider: "acme", supports: { identityTypes: ["MOBILE"], receipts: false }, send() {} }`
    )
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  const variables = () => ({ COUNTERSIGN_DATA_DIR: join(directory, "data"), PORT: "0" })

  it("reports every problem in one error, from variables and from adapter options", async () => {
    const { code, stderr } = await run(
      ["serve"],
      {
        COUNTERSIGN_SECRTE: "x",
        PORT: "hunter2",
        SMTP_URL: "http://hunter2",
        SMTP_FROM: "hunter2",
        TWILIO_ACCOUNT_SID: "hunter2",
        TWILIO_AUTH_TOKEN: "hunter2",
        COUNTERSIGN_CHANNELS: "./missing.mjs"
      },
      directory
    )
    assert.strictEqual(code, 1)
    const lines = stderr.trimEnd().split("\n")
    const names = lines.map((line) => line.slice(0, line.indexOf(":")))
    for (const name of [
      "COUNTERSIGN_SECRTE",
      "PORT",
      "SMTP_URL",
      "SMTP_FROM",
      "TWILIO_ACCOUNT_SID",
      "COUNTERSIGN_CHANNELS"
    ])
      assert.include(names, name, stderr)
    assert.notInclude(stderr, "hunter2")
  })

  it("loads the operator's own channels from modules, given in a variable or as arguments, and sends through them", async () => {
    const database = await FreshDatabase.make()
    const server = await serve(
      { ...variablesFor(database.url), COUNTERSIGN_CHANNELS: "./sms.mjs", COUNTERSIGN_SECRTE: "x" },
      directory,
      ["--channel", "./mail.ts"]
    )
    assert.include(server.output(), "COUNTERSIGN_SECRTE: unknown variable; did you mean COUNTERSIGN_SECRET?\n")
    assert.include(
      server.output(),
      "\n  SMS       acme\n  WHATSAPP  not enabled\n  RCS       not enabled\n  EMAIL     acme\n"
    )
    const { live: client } = await overProcesses([server]).merchant()
    const identity = phone()
    const requestId = await client.started({ identity })
    const sent = await until(
      async () => {
        const { body } = await client.status({ requestId })
        return body.deliveries[0].deliveryStatus
      },
      (status) => status === "SENT",
      { what: "the send" }
    )
    assert.strictEqual(sent, "SENT")
    assert.match(readFileSync(join(directory, "sent.txt"), "utf8"), new RegExp(`^\\${identity} .*\\d{6}`))
    await server.kill("SIGTERM")
    await database.drop()
  })

  it.each([
    ["wrong.mjs", /must export a channel or an array of channels as default/],
    ["throws.mjs", /failed to load: Error/],
    ["missing.mjs", /was not found/],
    ["elsewhere/effectful.mjs", /has its own copy of effect/]
  ])("rejects a module that is not a channel: %s", async (module, expected) => {
    const { code, stderr } = await runHere(["serve", "--channel", join(directory, module)], variables())
    assert.strictEqual(code, 1)
    assert.match(stderr, /^--channel: [^\n]+\n$/)
    assert.match(stderr, expected)
    assert.notInclude(stderr, "hunter2")
  })

  it("reports for each file why Node cannot load it", async () => {
    const args = [".", "./enum.ts", "./words.txt"].flatMap((path) => ["--channel", path])
    const { code, stderr } = await run(["serve", ...args], variables(), directory)
    assert.deepStrictEqual(stderr.trimEnd().split("\n"), [
      "--channel: . is a folder: name a file in it",
      "--channel: ./enum.ts uses TypeScript syntax that Node cannot strip, such as an enum: avoid it, or compile the file",
      "--channel: ./words.txt is not a module: name a file that ends in .js, .mjs or .ts"
    ])
    assert.strictEqual(code, 1)
  })

  it("is tested with these modules by countersign check", async () => {
    const { stdout } = await runHere(["check", "--channel", join(directory, "sms.mjs")], variables())
    assert.match(stdout, /SMS through acme +is configured; it cannot be checked without sending a message/)
  })

  it("rejects two channels of one name, and names both", async () => {
    const sms = join(directory, "sms.mjs")
    const two = await runHere(["serve", "--channel", sms, "--channel", sms], variables())
    const own = `acme (--channel ${sms})`
    assert.strictEqual(two.stderr, `SMS: two channels use the carrier acme, ${own} and ${own}; remove one of them\n`)
    const other = await runHere(["serve", "--channel", sms], {
      ...variables(),
      TWILIO_ACCOUNT_SID: "AC00000000000000000000000000000001",
      TWILIO_AUTH_TOKEN: "a-token",
      TWILIO_FROM: "+15005550006"
    })
    assert.strictEqual(
      other.stderr,
      `SMS_CARRIERS: is required, because several carriers are configured for SMS, twilio (TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID) and ${own}; for example \`*: twilio, acme\`\n`
    )
    assert.deepStrictEqual([two.code, other.code], [1, 1])
  })
})
