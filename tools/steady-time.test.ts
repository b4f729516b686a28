import { assert, describe, it } from "vitest"
import { globSync, readFileSync } from "node:fs"
import { relative } from "node:path"
import { workspaceRoot } from "./workspace.ts"

/**
 * Files that may keep a wall-clock time between two calls, each with the reason why a clock that is set back does no
 * harm. Waits, rate limits and windows belong to monotonic time (`packages/core/src/foundation/time/steadyTime.ts`).
 */
const allowed: Record<string, string> = {
  "packages/core/src/engagement/campaign/findRecipients.ts": "since when doubts are known, by the stored time of each",
  "packages/core/src/engagement/campaign/quietHours.ts": "remembers a result for a moment that was asked about",
  "packages/core/src/engagement/campaign/settle.ts": "a local of one decision",
  "packages/core/src/engagement/campaign/takeNext.ts": "a local of one decision",
  "packages/core/src/data/example/Agenda.ts": "the played time of an example day",
  "packages/core/src/memory/MemoryJobStore.ts": "storage: what is stored is a time of day",
  "packages/core/src/account/merchant/KeyUses.ts": "the hour of a use, to be written down",
  "packages/core/src/foundation/outbox/PollTimer.ts":
    "when work falls due, from the wake-up to the wait that reads the clock",
  "packages/core/src/foundation/guard/GuardMemory.ts": "the stored time of each request, compared with stored times",
  "packages/core/src/foundation/limit/SendCounts.ts":
    "the time of each own message, compared with the stored times of reports",
  "packages/core/src/message/sending/recordDeliveries.ts":
    "since when receipts were heard, to compare with stored times",
  "packages/core/src/account/stat/MerchantUsage.ts": "a local of one answer",
  "packages/http/src/UnnamedProxy.ts": "an instant of steady time",
  "packages/postgres/src/Reachability.ts": "an instant of performance.now",
  "packages/server/src/Simulation.ts": "when a simulated message was sent"
}

/** A variable, a private field or a map with a wall-clock time. */
const held = [/(?:#\w+|\blet \w+)\s*:\s*(?:Instant\.)?Instant\b/, /Map<[^\n;]*\bInstant\b/]

/** A wall-clock time that is compared with an earlier one to measure a duration. */
const elapsed = /(?:currentTimeMillis\)?|\bnow)\s*-\s*(?:started|began|begun)\b/

/** A plain number field that is a deadline: `#openUntil = 0`. */
const untyped = /(?:^\s+#|\blet )\w*(?:Until|Since|Deadline|until|since|deadline)\s*(?:=|:\s*number)/

const files = globSync("packages/*/src/**/*.ts", { cwd: workspaceRoot })
  .map((file) => relative(workspaceRoot, `${workspaceRoot}/${file}`))
  // Browsers do not use our clock, and the testkit waits for nothing.
  .filter((file) => !/^packages\/(dashboard|sdk|testkit)\//.test(file))

const linesOf = (file: string) => readFileSync(`${workspaceRoot}/${file}`, "utf8").split("\n")

const holders = (lines: ReadonlyArray<string>) =>
  lines.filter((line) => [...held, elapsed, untyped].some((pattern) => pattern.test(line)))

describe("a wall-clock time in memory", () => {
  it("is held only by the files listed with a reason", () => {
    assert.isAbove(files.length, 300)
    const found = files.filter((file) => holders(linesOf(file)).length > 0)
    assert.deepStrictEqual(found.toSorted(), Object.keys(allowed).toSorted())
  })

  it("is what the patterns match", () => {
    const bad = [
      "  #openUntil: Instant = 0",
      "let askedAt: Instant = 0",
      "const rests = new Map<string, Instant>()",
      "  readonly faults: Map<Kind, { readonly until: Instant }>",
      "  readonly #own = new AgingMap<Instant>()",
      "if ((yield* Clock.currentTimeMillis) - started >= longest) return",
      "if (now - began >= patience) return",
      "  #restsUntil = 0",
      "  let refusedSince: number | null = null"
    ]
    for (const line of bad) assert.deepStrictEqual(holders([line]), [line])
    const good = ["  #openUntil: SteadyInstant = 0", "if (elapsed() >= longest) return", "  readonly until: Instant"]
    assert.deepStrictEqual(holders(good), [])
  })
})
