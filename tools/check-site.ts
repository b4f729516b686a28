import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { install, vitepress } from "./site/build.ts"
import { builtFaults, navigationFaults } from "./site/check.ts"
import { look } from "./site/look.ts"
import { navigation } from "./site/navigation.ts"
import { sitePages } from "./site/pages.ts"
import { filesUnder, workspaceRoot } from "./workspace.ts"

/** Not the root of a host: so it is known to work under a path, as on GitHub Pages. */
const base = "/under/a/path/"

const place = mkdtempSync(join(tmpdir(), "countersign-site-"))
/** Pictures of what was looked at, where somebody wants to see them. */
const pictures = process.env["SITE_PICTURES"]
if (pictures !== undefined) mkdirSync(pictures, { recursive: true })

const faults: Array<string> = []
let said = ""
try {
  const pages = sitePages(workspaceRoot)
  faults.push(...navigationFaults(pages, navigation(workspaceRoot)))
  install()
  const built = await vitepress(["build", ".", "--outDir", place], { env: { SITE_BASE: base }, quiet: true })
  if (built.code !== 0) faults.push(built.output.trim())
  else {
    faults.push(...builtFaults(place, base, pages))
    const shown = await look(place, base, ["", "quickstart.html", "access.html", "errors.html"], pictures)
    faults.push(...shown.faults)
    said = `${pages.length} pages, ${filesUnder(place).length} files${shown.skipped === undefined ? "" : `; not looked at: ${shown.skipped}`}`
  }
} finally {
  rmSync(place, { recursive: true, force: true })
}
for (const fault of faults) console.error(fault)
console.log(said)
// The browser is one for the whole process, and would keep it.
process.exit(faults.length === 0 ? 0 : 1)
