import { brokenLinks, readPages, wrongSnippets } from "./docs/check.ts"
import { staleParts } from "./docs/generated.ts"
import { pictureFaults } from "./docs/pictures.ts"
import { staleSources } from "./docs/sources.ts"
import { workspaceRoot } from "./workspace.ts"

const pages = readPages(workspaceRoot)
const snippets = wrongSnippets(workspaceRoot, pages)
const faults = [
  ...brokenLinks(workspaceRoot, pages),
  ...staleParts(workspaceRoot, pages),
  ...staleSources(workspaceRoot),
  ...pictureFaults(workspaceRoot, pages),
  ...snippets.faults
]
for (const { file, line, message } of faults) console.error(`${file}${line > 0 ? `:${line}` : ""}: ${message}`)
console.log(`${pages.length} pages, ${snippets.count} TypeScript blocks, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
