import { assert, it } from "vitest"
import { mergedMetrics } from "../src/workers/mergedMetrics.ts"

const one = `# HELP requests_total Requests, by route
# TYPE requests_total counter
requests_total{route="GET /a{b}",status="200"} 3

# HELP up Whether it is
# TYPE up gauge
up 1
`
const two = `# HELP up Whether it is
# TYPE up gauge
up{} 0

# HELP requests_total Requests, by route
# TYPE requests_total counter
requests_total{route="GET /x",status="500"} 4
`

it("metrics of two processes are merged: each family is described once, each sample names its worker", () => {
  assert.strictEqual(
    mergedMetrics([
      [1, one],
      [2, two]
    ]),
    `# HELP requests_total Requests, by route
# TYPE requests_total counter
requests_total{worker="1",route="GET /a{b}",status="200"} 3
requests_total{worker="2",route="GET /x",status="500"} 4

# HELP up Whether it is
# TYPE up gauge
up{worker="1"} 1
up{worker="2"} 0
`
  )
})
