import type { CDPSession, Page } from "playwright-core"

/** What the page's main thread did at one go, while nobody else had a turn: in milliseconds. */
export interface Tasks {
  readonly count: number
  /** Its own CPU time of the longest. On a busy machine a task waits for a core as well; this leaves the waiting out. */
  readonly cpu: number
  /** From the beginning to the end of the longest, by the same trace. */
  readonly wall: number
  /** What the page itself is told of: each task of more than 50 ms, by the clock. */
  readonly long: ReadonlyArray<number>
}

interface TraceEvent {
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly dur?: number
  /** CPU time of the thread. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

type Told = { longTasks?: Array<number> }

const categories = "toplevel,disabled-by-default-devtools.timeline"
const isTask = ({ name }: TraceEvent) => name === "ThreadControllerImpl::RunTask" || name === "RunTask"

/** Looks at the tasks of a page, by the browser's trace and by what the page is told. */
export class TaskWatch {
  readonly #page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  /** Throws where the watch would not see a task that is too long: what sees nothing proves nothing. */
  static async over(page: Page): Promise<TaskWatch> {
    await page.evaluate(() => {
      const told: Array<number> = ((window as Told).longTasks = [])
      new PerformanceObserver((list) => told.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: "longtask"
      })
    })
    const watch = new TaskWatch(page, await page.context().newCDPSession(page))
    const seen = await watch.during(() =>
      page.evaluate(
        () =>
          new Promise<number>((done) =>
            // A task of the page's own. Work, not waiting: on a busy machine a time could have next to no work in it.
            setTimeout(() => {
              let sum = 0
              for (let n = 0; n < 100_000_000; n++) sum += Math.sqrt(n)
              done(sum)
            })
          )
      )
    )
    if (seen.cpu < 50 || seen.long.length === 0)
      throw new Error(`A long task was not seen to be one: ${JSON.stringify(seen)}`)
    return watch
  }

  async during(work: () => Promise<unknown>): Promise<Tasks> {
    const events: Array<TraceEvent> = []
    const collect = ({ value }: { value: ReadonlyArray<object> }) => {
      for (const event of value as ReadonlyArray<TraceEvent>)
        if (isTask(event) || event.name === "thread_name") events.push(event)
    }
    this.#session.on("Tracing.dataCollected", collect)
    await this.#session.send("Tracing.start", {
      transferMode: "ReportEvents",
      traceConfig: { includedCategories: categories.split(",") }
    })
    // Beginning and ending a trace takes a while of its own.
    await this.#page.evaluate(() => (window as Told).longTasks!.splice(0))
    await work()
    // The observer is told in a later turn, after what it is told of.
    const long = await this.#page.evaluate(async () => {
      await new Promise((later) => requestAnimationFrame(() => setTimeout(later)))
      return (window as Told).longTasks!.splice(0)
    })
    const complete = new Promise<void>((done) => this.#session.once("Tracing.tracingComplete", () => done()))
    await this.#session.send("Tracing.end")
    await complete
    this.#session.off("Tracing.dataCollected", collect)
    const main = new Set(
      events.filter(({ args }) => args?.name === "CrRendererMain").map(({ pid, tid }) => `${pid}/${tid}`)
    )
    const tasks = events.filter((event) => isTask(event) && main.has(`${event.pid}/${event.tid}`))
    const most = (of: "dur" | "tdur") => tasks.reduce((longest, task) => Math.max(longest, task[of] ?? 0), 0) / 1000
    return { count: tasks.length, cpu: most("tdur"), wall: most("dur"), long }
  }
}
