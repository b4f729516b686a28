/** The oldest Node that everything here works on: receipts break in silence on older ones. */
const oldest = [22, 19] as const

/** Says in words that this Node is too old; undefined where it is not, or where this is no Node. */
export const oldNode = (version: string | undefined): string | undefined => {
  const [major = 0, minor = 0] = (version ?? "").split(".").map(Number)
  if (version === undefined || major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return undefined
  return `Countersign needs Node.js ${oldest.join(".")} or later; this is ${version}`
}

/** The version of the Node that runs this. */
export const runningNode = (): string | undefined =>
  (globalThis as { readonly process?: { readonly versions?: { readonly node?: string } } }).process?.versions?.node
