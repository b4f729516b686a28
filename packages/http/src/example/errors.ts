import type { ExampleDayRuns, OnlyInTest } from "@countersign/core"
import { defineErrors } from "../ErrorTable.ts"

/** How an example day is refused, on the wire. */
export const errors = defineErrors({
  OnlyInTest: (_: OnlyInTest) => ({
    errorCode: "FORBIDDEN",
    message:
      "An example day is for the test environment, and this is live: change to test (X-Environment: test, or a test key), and fill that"
  }),
  ExampleDayRuns: (_: ExampleDayRuns) => ({
    errorCode: "EXAMPLE_DAY_RUNS",
    message: "An example day is being played in this environment: wait until it is over, which takes less than a minute"
  })
})
