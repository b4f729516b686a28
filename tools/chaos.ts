import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { workspaceRoot } from "./workspace.ts"

/**
 * The slow proofs at their full size: processes killed by the dozen, an outage of a day with thousands of events, races
 * again and again, generated requests without end. They are tests of the suite, told by variables to be larger. A
 * variable that is set already stays as it is.
 */
const sizes = {
  ATTRIBUTION_EVENTS: "10000",
  BACKUP_LOGINS: "300",
  BACKUP_ROUNDS: "3",
  BALANCE_OPERATIONS: "10000",
  CAMPAIGN_RECIPIENTS: "50000",
  CRASHES: "500",
  DAY_EVENTS: "2000",
  FUZZ_REQUESTS: "50000",
  GUARD_INITIATES: "2000000",
  GUARD_KILLS: "8",
  INBOX_CUSTOMERS: "2000",
  INBOX_KILL_EVERY: "1500",
  INBOX_MESSAGES: "20000",
  INTERLEAVINGS: "10000",
  KILL_ROUNDS: "20",
  LINK_KILLS: "20",
  MODEL_RUNS: "20000",
  MONEY_KILLS: "8",
  MONEY_OPERATIONS: "10000",
  POOL_CHECKS: "all",
  RACE_ROUNDS: "20",
  REPLY_KILLS: "5",
  SCREEN_ROWS: "100000",
  STAT_OPERATIONS: "10000",
  UPGRADE_ROWS: "20000"
}

const files = [
  "packages/core/test/verification/interleavings.test.ts",
  "packages/core/test/verification/model.test.ts",
  "packages/core/test/webhook/crashes.test.ts",
  "packages/core/test/webhook/day.test.ts",
  "packages/testkit/test/MemoryStorage.test.ts",
  "packages/postgres/test/upgrades.integration.test.ts",
  "packages/postgres/test/NodePool.integration.test.ts",
  "packages/dashboard/test/screens.browser.test.ts",
  "packages/server/test/backups.processes.integration.test.ts",
  "packages/server/test/campaigns.kills.processes.integration.test.ts",
  "packages/server/test/delivery.kills.integration.test.ts",
  "packages/server/test/fuzz.integration.test.ts",
  "packages/server/test/guard.processes.integration.test.ts",
  "packages/server/test/hooks.kills.processes.integration.test.ts",
  "packages/server/test/inbox.day.processes.integration.test.ts",
  "packages/server/test/inbox.replies.kills.integration.test.ts",
  "packages/server/test/links.kills.processes.integration.test.ts",
  "packages/server/test/money.processes.integration.test.ts",
  "packages/server/test/publicKeyRows.integration.test.ts",
  "packages/server/test/publishedContract.test.ts",
  "packages/server/test/races.integration.test.ts",
  "packages/server/test/webhooks.kills.integration.test.ts"
]

const vitest = join(workspaceRoot, "node_modules", "vitest", "vitest.mjs")
const asked = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  [vitest, "run", "--config", "vitest.workspace.ts", "--maxWorkers", "1", ...(asked.length === 0 ? files : asked)],
  { cwd: workspaceRoot, stdio: "inherit", env: { ...sizes, ...process.env } }
)
process.exitCode = status ?? 1
