import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join, relative, resolve } from "node:path"
import { lineDiff } from "./codemod/lineDiff.ts"
import { twilioVerify } from "./codemod/twilioVerify.ts"
import { filesUnder } from "./workspace.ts"

const usage = `npx -y pnpm@12 codemod twilio-verify FOLDER          rewrites calls of Twilio Verify to Countersign's SDK
npx -y pnpm@12 codemod twilio-verify FOLDER --dry    shows what it would do, and writes nothing

Commit your code first. docs/migrating/twilio-verify.md says what it cannot know.`

const dry = process.argv.includes("--dry")
const [which, given] = process.argv.slice(2).filter((word) => word !== "--" && word !== "--dry")
/** Where the command was typed; pnpm runs this in the folder of the repository. */
const from = process.env["INIT_CWD"] ?? process.cwd()
const place = given === undefined ? "" : resolve(from, given)
if (which !== "twilio-verify" || !existsSync(place)) {
  console.error(given !== undefined && which === "twilio-verify" ? `There is no ${place}\n\n${usage}` : usage)
  process.exit(2)
}

let calls = 0
let left = 0
const files = statSync(place).isDirectory() ? filesUnder(place) : [place]
for (const path of files.filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !file.endsWith(".d.ts"))) {
  const before = readFileSync(path, "utf8")
  const done = twilioVerify(path, before)
  const name = relative(from, path)
  if ("broken" in done) {
    console.log(`${name}: left alone, because it could not be read: ${done.broken}`)
    continue
  }
  calls += done.calls
  left += done.left.length
  for (const { line, why } of done.left) console.log(`${name}:${line}: ${why}`)
  if (done.text === before) continue
  if (dry) console.log(`${name}\n${lineDiff(before, done.text).join("\n")}\n`)
  else writeFileSync(join(path), done.text)
}
console.log(
  `${calls} calls ${dry ? "would be" : "were"} rewritten, ${left} places are for you to look at${dry ? "; nothing was written" : ""}.`
)
if (calls > 0)
  console.log(`Before you deploy, switch the setting strictReverify on: without it a login that is verified goes on answering
"verified" to every code. docs/migrating/twilio-verify.md says why, and what else is different.`)
