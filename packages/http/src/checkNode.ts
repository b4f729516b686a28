/** The oldest supported Node. On older ones receipts break silently. */
const oldest = [22, 19] as const

/** The error for a Node that is too old. Undefined if it is supported, or if this is not Node. */
export const oldNode = (version: string | undefined): string | undefined => {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number)
  if (version === undefined || major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  return `Countersign needs Node.js ${oldest.join(".")} or later; this is ${version}`
}

/** The version of the Node that runs this. */
export const runningNode = (): string | undefined =>
  (globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }).process?.versions?.node
