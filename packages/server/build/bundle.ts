import { rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { carry } from "./carry.ts"
import { buildFolder } from "./program.ts"

/**
 * `pnpm build`: the whole server in a folder, which needs Node and nothing else: `node bundle/main.js serve`.
 */
const folder = fileURLToPath(new URL("../../../bundle", import.meta.url))
await rm(folder, { recursive: true, force: true })
await buildFolder(folder)
await carry(join(folder, "assets"))
console.log("bundle, for node bundle/main.js serve")
