/** One way in which somebody depends on Countersign. Each value that we promise stands in a row; not each with each. */
export interface Way {
  readonly manager: "npm" | "pnpm" | "yarn" | "yarn-pnp"
  readonly node: "22" | "24"
  readonly module: "esm" | "commonjs"
  /** Null where the compiler does not see what is installed: Plug'n'Play keeps packages in archives. */
  readonly types: { readonly typescript: "5.9" | "7"; readonly resolution: "nodenext" | "bundler" } | null
}

export const ways: ReadonlyArray<Way> = [
  { manager: "npm", node: "22", module: "commonjs", types: { typescript: "5.9", resolution: "nodenext" } },
  { manager: "pnpm", node: "22", module: "esm", types: { typescript: "7", resolution: "bundler" } },
  { manager: "yarn", node: "24", module: "commonjs", types: { typescript: "7", resolution: "nodenext" } },
  { manager: "yarn", node: "22", module: "esm", types: { typescript: "5.9", resolution: "bundler" } },
  { manager: "yarn-pnp", node: "24", module: "esm", types: null }
]

/** What the ways are tried with: the lowest Node that we support, and programs that a user has. */
export const instruments: Readonly<Record<string, string>> = {
  "@yarnpkg/cli-dist": "4",
  typescript: "5.9",
  [`node-${process.platform}-${process.arch}`]: "22.19.0"
}
