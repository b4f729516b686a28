import { readFileSync } from "node:fs"
import { Effect } from "effect"

/** A process as the system lists it. */
export interface Listed {
  readonly parent: number
  readonly words: ReadonlyArray<string>
}

const isPackageManager = ({ words }: Listed): boolean =>
  words.slice(0, 2).some((word) => /(^|\/)(npm|npx|pnpm)(-cli)?(\.[cm]?js)?$/.test(word))

/**
 * The processes between a package manager and this one, with it: `npx` starts a shell, that starts `pnpm`, that starts a
 * shell, that starts the server. A signal to the first of them reaches none of the others.
 */
export const launchersOf = (pid: number, look: (pid: number) => Listed | undefined): ReadonlyArray<number> => {
  const above: Array<number> = []
  let found = 0
  for (let at = look(pid)?.parent ?? 0; at > 1 && above.length < 20; ) {
    const listed = look(at)
    if (listed === undefined) break
    above.push(at)
    if (isPackageManager(listed)) found = above.length
    at = listed.parent
  }
  return above.slice(0, found)
}

/** From Linux's list; elsewhere nothing is found. */
const look = (pid: number): Listed | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The name is in brackets, and may hold anything.
    const [, parent = "0"] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split(/[\0 ]/)
    return { parent: Number(parent), words }
  } catch {
    return undefined
  }
}

const lives = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}

const lookEvery = 500

/** Stops this server as SIGTERM does when a package manager that started it has gone. */
export const follow = Effect.acquireRelease(
  Effect.sync(() => {
    const launchers = launchersOf(process.pid, look)
    if (launchers.length === 0) return undefined
    const timer = setInterval(() => {
      if (launchers.every(lives)) return
      clearInterval(timer)
      process.kill(process.pid, "SIGTERM")
    }, lookEvery)
    return timer.unref()
  }),
  (timer) => Effect.sync(() => clearInterval(timer))
)
