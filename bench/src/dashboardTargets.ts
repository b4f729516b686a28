import { median } from "./Bench.ts"
import { Child } from "./Child.ts"
import { startEmbedded } from "./EmbeddedServer.ts"
import type { Finding, Target } from "./Target.ts"

/** What stands in packages/dashboard/test/speed: the page's own fixtures are there. */
const pageProcess = "../../packages/dashboard/test/speed/pageProcess.ts"

interface Tasks {
  readonly count: number
  readonly cpu: number
  readonly wall: number
  readonly long: ReadonlyArray<number>
}

/** A browser of its own for one measurement; where the machine has none, that is the finding. */
const inBrowser = async (measure: (child: Child) => Promise<Finding>): Promise<Finding> => {
  const child = new Child(pageProcess)
  try {
    const skipped = await child.ask<string | null>("skipped")
    return skipped === null ? await measure(child) : { figures: [], details: [skipped] }
  } finally {
    await child.stop()
  }
}

const tell = (name: string, { count, cpu, long, wall }: Tasks) => {
  const told =
    long.length === 0
      ? "none over 50 ms by the clock"
      : `${long.length} over 50 ms by the clock, up to ${Math.max(...long)}`
  return `${name}: ${count} tasks, the longest ${cpu.toFixed(1)} ms CPU, ${wall.toFixed(1)} ms by the clock; ${told}`
}

const scroll = (child: Child) =>
  child
    .ask<{ readonly rows: number; readonly phases: { readonly [name: string]: Tasks } }>("scroll")
    .then(({ phases, rows }): Finding => {
      const longest = Math.max(...Object.values(phases).map(({ cpu }) => cpu))
      return {
        figures: [{ target: "S27", value: longest, relation: "<=", bound: 50, unit: " ms" }],
        details: [
          ...Object.entries(phases).map(([name, tasks]) => tell(name, tasks)),
          `${rows.toLocaleString("en")} rows were in the page at last; judged is the CPU time of the longest task`
        ]
      }
    })

const times = 5
const seconds = (millis: number) => `${(millis / 1000).toFixed(2)} s`

const firstFigure = async (child: Child): Promise<Finding> => {
  const adminToken = "admin-token-of-the-benchmark-alone"
  const server = await startEmbedded({ COUNTERSIGN_ADMIN_TOKEN: adminToken })
  try {
    const arrived = await child.ask<ReadonlyArray<{ readonly fromSignIn: number; readonly fromLink: number }>>(
      "firstFigure",
      { url: `http://127.0.0.1:${server.port}`, adminToken, times }
    )
    const value = median(arrived.map(({ fromSignIn }) => fromSignIn)) / 1000
    return {
      figures: [{ target: "S28", value, relation: "<=", bound: 1, unit: " s" }],
      details: arrived.map(
        ({ fromLink, fromSignIn }) =>
          `${seconds(fromSignIn)} from the answered sign-in, ${seconds(fromLink)} from the opened link`
      )
    }
  } finally {
    await server.stop()
  }
}

export const dashboardTargets: ReadonlyArray<Target> = [
  {
    name: "S27",
    what: "the dashboard's list of 100,000 verifications, scrolled in a browser: CPU time of the page's longest task",
    measure: () => inBrowser(scroll)
  },
  {
    name: "S28",
    what: "embedded mode: the answered sign-in to the first figure of an example day on the screen, seconds",
    measure: () => inBrowser(firstFigure)
  }
]
