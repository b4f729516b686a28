import { checkTree, format } from "./imports/check.ts"
import { workspaceRoot } from "./workspace.ts"

const { files, violations } = checkTree(process.argv[2] ?? workspaceRoot)
for (const violation of violations) console.error(format(violation))
console.log(`${files} files, ${violations.length} forbidden imports`)
process.exitCode = violations.length === 0 ? 0 : 1
