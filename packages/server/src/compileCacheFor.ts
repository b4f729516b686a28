import { fileURLToPath } from "node:url"

const inPackage = /\/node_modules\/@countersign\/server\/[^/]+\/[^/]+$/

/**
 * The directory in which Node keeps the compiled code of the program at `url`: in the clone's `node_modules`, or in the
 * one that the package is installed in. A user who can write there can change the program itself, so the directory is
 * never a shared one such as `/tmp`. Undefined for a bundle and an executable: they write only their data.
 */
export const compileCacheFor = (url: string): string | undefined => {
  if (url.endsWith(".ts")) return fileURLToPath(new URL("../node_modules/.cache/countersign", url))
  return inPackage.test(url) ? fileURLToPath(new URL("../../../.cache/countersign", url)) : undefined
}
