#!/usr/bin/env node
import { createInterface } from "node:readline/promises"
import { parseArgs } from "node:util"
import { CannotCreate, channels, create, isChannelName, nameProblem } from "./create.ts"
import { versions } from "./versions.ts"

const help = `Begins a channel for Countersign: one small package with its tests.

  npm create countersign-channel my-sms
  npm create countersign-channel my-mail -- --channel EMAIL
  npm create countersign-channel acme-viber -- --channel VIBER

  --channel  ${channels.join(", ")}, or a name of your own as VIBER; SMS unless told
`

/** A new package may take any later version that fits. */
const known = versions()
const versionOf = (name: string) => (known[name] === undefined ? "*" : `^${known[name]}`)

const asked = async (): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    for (;;) {
      const name = (await terminal.question("What is it called? (acme-sms) ")).trim() || "acme-sms"
      const problem = nameProblem(name)
      if (problem === null) return name
      console.log(`It ${problem}.`)
    }
  } finally {
    terminal.close()
  }
}

/** What the package manager that runs this calls itself. */
const manager = /^(pnpm|yarn|bun)\//.exec(process.env["npm_config_user_agent"] ?? "")?.[1] ?? "npm"

const main = async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { channel: { type: "string", default: "SMS" }, help: { type: "boolean", default: false } }
  })
  if (values.help) return console.log(help)
  const channel = values.channel.toUpperCase()
  if (!isChannelName(channel)) {
    throw new CannotCreate(
      `--channel must be one of ${channels.join(", ")}, or a name of your own: a letter, then letters, digits and underscores, 32 at most`
    )
  }
  if (positionals.length > 1) throw new CannotCreate("give one name")
  if (positionals.length === 0 && !process.stdin.isTTY) throw new CannotCreate(`give a name\n\n${help}`)
  const name = positionals[0] ?? (await asked())
  const files = create({ name, channel, directory: process.cwd(), versionOf })
  console.log(`${name}: ${files.length} files, a channel of ${channel}\n`)
  console.log(`  cd ${name}\n  ${manager} install\n  ${manager} test\n`)
  console.log("The tests are green, against a provider that is made up. README.md says how to make it yours.")
}

try {
  await main()
} catch (error) {
  // A wrong flag is told in Node's own words, which say what is wrong.
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
