import type { Reporter, TestModule, TestRunEndReason } from "vitest/node"

/** Prints `N passed, N failed[, N skipped]` alone on the last line. A run in which no test ran counts as a failure. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>, reason: TestRunEndReason) {
    const tests = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    let broken = errors.length
    for (const module of modules) {
      if (module.errors().length > 0) broken++
      for (const test of module.children.allTests()) tests[test.result().state]++
    }
    const failed = Math.max(tests.failed + broken, reason === "failed" ? 1 : 0) // a broken global setup is a failure
    const skipped = tests.skipped + tests.pending
    process.once("exit", () => {
      if (failed > 0) process.exitCode = 1 // whatever else may have set it
      if (tests.passed + failed === 0) {
        process.exitCode = 1
        process.stderr.write("\nNo test ran: the selection matches nothing.\n")
      }
      process.stdout.write(`\n${tests.passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`)
    })
  }
}
