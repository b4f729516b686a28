#!/usr/bin/env node
import { createInterface } from "node:readline/promises"
import { parseArgs } from "node:util"
import { CannotCreate, channels, create, isChannelName, nameProblem } from "./create.ts"
import { versions } from "./versions.ts"

const help = `Creates a channel for Countersign: one small package with its tests.

  npm create countersign-channel my-sms
  npm create countersign-channel my-mail -- --channel EMAIL
  npm create countersign-channel acme-viber -- --channel VIBER

  --channel  ${channels.join(", ")}, or your own name such as VIBER; default SMS
`

/** A new package accepts any later compatible version. */
const known = versions()
const versionOf = (name: string) => (known[name] === undefined ? "*" : `^${known[name]}`)

const asked = async (): Promise<string> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    for (;;) {
      const name = (await terminal.question("Name of the package (acme-sms): ")).trim() || "acme-sms"
      const problem = nameProblem(name)
      if (problem === null) return name
      console.log(`The name ${problem}.`)
    }
  } finally {
    terminal.close()
  }
}

/** The package manager that runs this program. */
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
      `--channel must be one of ${channels.join(", ")}, or your own name: a letter, then letters, digits and underscores, at most 32`
    )
  }
  if (positionals.length > 1) throw new CannotCreate("too many arguments: pass one name")
  if (positionals.length === 0 && !process.stdin.isTTY) throw new CannotCreate(`the name is missing\n\n${help}`)
  const name = positionals[0] ?? (await asked())
  const files = create({ name, channel, directory: process.cwd(), versionOf })
  console.log(`${name}: ${files.length} files, a channel of ${channel}\n`)
  console.log(`  cd ${name}\n  ${manager} install\n  ${manager} test\n`)
  console.log("The tests pass against an invented provider. See README.md for how to adapt it to yours.")
}

try {
  await main()
} catch (error) {
  // For an unknown flag, Node's own message says what is wrong.
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
