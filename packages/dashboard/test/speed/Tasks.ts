import type { CDPSession, Page } from "playwright-core"

/** Main-thread tasks of the page, in milliseconds. */
export interface Tasks {
  readonly count: number
  /** CPU time of the longest task. Unlike wall-clock time, it excludes waiting for a core. */
  readonly cpu: number
  /** Wall-clock duration of the longest task, from the same trace. */
  readonly wall: number
  /** Tasks above 50 ms as reported to the page itself. */
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

/** Records the page's tasks, from the browser's trace and the page's own observer. */
export class TaskWatch {
  readonly #page: Page
  readonly #session: CDPSession

  private constructor(page: Page, session: CDPSession) {
    this.#page = page
    this.#session = session
  }

  /** Throws if the recording misses a task that is known to be long, because then it proves nothing. */
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
            // A known long task. It computes instead of waiting, because on a busy machine waiting uses little CPU
            // time.
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
    // Starting and stopping a trace takes a while itself.
    await this.#page.evaluate(() => (window as Told).longTasks!.splice(0))
    await work()
    // The observer is called in a later turn than the task.
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
