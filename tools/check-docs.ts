import { brokenLinks, readPages, wrongSnippets } from "./docs/check.ts"
import { staleParts } from "./docs/generated.ts"
import { hardPhraseRates } from "./docs/hardPhrases.ts"
import { pictureFaults } from "./docs/pictures.ts"
import { staleSources } from "./docs/sources.ts"
import { navigationFaults } from "./site/check.ts"
import { navigation } from "./site/navigation.ts"
import { contents, sitePages } from "./site/pages.ts"
import { workspaceRoot } from "./workspace.ts"

const pages = readPages(workspaceRoot)
const snippets = wrongSnippets(workspaceRoot, pages)
const unlisted = navigationFaults(sitePages(workspaceRoot), navigation(workspaceRoot))
const faults = [
  ...unlisted.map((message) => ({ file: contents, line: 0, message })),
  ...brokenLinks(workspaceRoot, pages),
  ...staleParts(workspaceRoot, pages),
  ...staleSources(workspaceRoot),
  ...pictureFaults(workspaceRoot, pages),
  ...snippets.faults
]
for (const { file, line, message } of faults) console.error(`${file}${line > 0 ? `:${line}` : ""}: ${message}`)
console.log(`${pages.length} pages, ${snippets.count} TypeScript blocks, ${faults.length} faults`)
const rates = hardPhraseRates(workspaceRoot).map(([kind, rate]) => `${kind} ${rate.toFixed(1)}`)
console.log(`Hard phrases per thousand lines: ${rates.join(", ")}`)
process.exitCode = faults.length === 0 ? 0 : 1
