import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { readPages } from "./docs/check.ts"
import { renewed } from "./docs/generated.ts"
import { workspaceRoot } from "./workspace.ts"

for (const page of readPages(workspaceRoot)) {
  const text = renewed(workspaceRoot, page)
  if (text === page.text) continue
  writeFileSync(join(workspaceRoot, page.file), text)
  console.log(page.file)
}
