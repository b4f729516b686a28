import { execFileSync } from "node:child_process"
import { repository } from "../release/repository.ts"

/** The commit that the pages are of, so that a link to a file shows what the page speaks of. */
const commit = (root: string): string => {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8", stdio: "pipe" }).trim()
  } catch {
    return "HEAD"
  }
}

/** From a file of the repository to the address where it can be looked at. Null where the repository has none. */
export const addressOf = (root: string, env = process.env): ((file: string) => string | null) => {
  const at = repository(env)
  if (at === null) return () => null
  const blob = `${at}/blob/${commit(root)}`
  return (file) => `${blob}/${file}`
}
