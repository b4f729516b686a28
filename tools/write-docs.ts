import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { readPages } from "./docs/check.ts"
import { renewed } from "./docs/generated.ts"
import { missingPictures } from "./docs/pictures.ts"
import { renewedSources } from "./docs/sources.ts"
import { workspaceRoot } from "./workspace.ts"

for (const { file, text } of renewedSources(workspaceRoot)) {
  if (text === null) continue
  writeFileSync(join(workspaceRoot, file), text)
  console.log(file)
}
for (const page of readPages(workspaceRoot)) {
  const text = renewed(workspaceRoot, page)
  if (text === page.text) continue
  writeFileSync(join(workspaceRoot, page.file), text)
  console.log(page.file)
}
// They take half a minute, and differ a little from machine to machine: only who changed the page wants them anew.
if (process.argv.includes("--pictures") || missingPictures(workspaceRoot).length > 0) {
  const { takePictures } = await import("./docs/takePictures.ts")
  await takePictures(workspaceRoot)
  process.exit() // The browser is one for the whole process, and would keep it.
}
