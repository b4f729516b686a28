import type { ExampleDayRuns, OnlyInTest } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** The failures of example days. */
export const errors = defineErrors({
  OnlyInTest: (_: OnlyInTest) => ({
    errorCode: "FORBIDDEN",
    message: "Example days exist only in the test environment: send X-Environment: test, or use a test key"
  }),
  ExampleDayRuns: (_: ExampleDayRuns) => ({
    errorCode: "EXAMPLE_DAY_RUNS",
    message: "An example day is already running in this environment: wait until it has finished, in less than a minute"
  })
})
