import { install, vitepress } from "./site/build.ts"

const usage = `npx -y pnpm@12 site            builds the pages of docs/ into site/dist
npx -y pnpm@12 site --dev      shows them while you write, at http://localhost:5173
npx -y pnpm@12 site --preview  shows what was built, at http://localhost:4173

SITE_BASE        the path that the site is under, such as /countersign/
COUNTERSIGN_REPOSITORY  where files of the repository can be looked at: https://github.com/you/countersign`

const commands: Readonly<Record<string, string>> = { "": "build", "--dev": "dev", "--preview": "preview" }
const [given = ""] = process.argv.slice(2)
const command = commands[given]
if (command === undefined) {
  console.error(given === "--help" ? usage : `"${given}" is not known.\n\n${usage}`)
  process.exit(given === "--help" ? 0 : 2)
}
install()
process.exitCode = (await vitepress([command, "."])).code
