/**
 * What `pnpm test` leaves to runs of their own, because it takes long and rarely breaks alone: pages in a browser, and
 * a house's bad days: processes that are killed, secrets that are rotated, tables that are upgraded, backups; or because it
 * installs what ours is compared with. `pnpm check` runs all, and so does whoever names one: `pnpm test --project pages`.
 */
export const proofs = {
  oracles: ["packages/*/test/**/*.oracle.test.ts"],
  pages: ["packages/*/test/**/*.browser.test.ts", "examples/*/test/**/*.browser.test.ts", "tools/chromium.test.ts"],
  operations: [
    "packages/server/test/**/*.processes.integration.test.ts",
    "packages/server/test/**/*.kills.integration.test.ts",
    "packages/server/test/embedded.test.ts",
    "packages/postgres/test/DirectoryLock.test.ts",
    "packages/postgres/test/Processes.integration.test.ts",
    "packages/postgres/test/EmptyDatabase.test.ts",
    "packages/postgres/test/PgBackup.integration.test.ts",
    "packages/postgres/test/upgradeOfDirectory.test.ts",
    "packages/postgres/test/upgrades.integration.test.ts"
  ]
} as const

export type Proof = keyof typeof proofs

export const isProof = (name: string): name is Proof => Object.hasOwn(proofs, name)
