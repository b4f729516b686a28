import { existsSync } from "node:fs"
import { join } from "node:path"
import { folder, install, vitepress } from "./site/build.ts"
import { served } from "./site/served.ts"

const usage = `npx -y pnpm@12 site            builds the pages of docs/ into site/dist
npx -y pnpm@12 site --dev      shows them while you write, at http://localhost:5173
npx -y pnpm@12 site --preview  shows what was built, at http://localhost:4173

SITE_BASE        the path that the site is under, such as /countersign/
COUNTERSIGN_REPOSITORY  where files of the repository can be looked at: https://github.com/you/countersign`

const run = async (command: string) => {
  install()
  process.exitCode = (await vitepress([command, "."])).code
}

const preview = async () => {
  const out = join(folder, "dist")
  if (!existsSync(join(out, "index.html"))) throw new Error("Nothing is built yet: npx -y pnpm@12 site")
  const base = process.env["SITE_BASE"] ?? "/"
  await served(out, base, 4173)
  console.log(`http://localhost:4173${base}`)
}

const commands: Readonly<Record<string, () => Promise<void>>> = {
  "": () => run("build"),
  "--dev": () => run("dev"),
  "--preview": preview
}
const [given = ""] = process.argv.slice(2)
const command = commands[given]
if (command === undefined) {
  console.error(given === "--help" ? usage : `"${given}" is not known.\n\n${usage}`)
  process.exit(given === "--help" ? 0 : 2)
}
await command().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
