import { readFileSync } from "node:fs"
import { Effect } from "effect"

/** A process in the system's process list. */
export interface Listed {
  readonly parent: number
  readonly words: ReadonlyArray<string>
}

const isPackageManager = ({ words }: Listed): boolean =>
  words.slice(0, 2).some((word) => /(^|\/)(npm|npx|pnpm)(-cli)?(\.[cm]?js)?$/.test(word))

/**
 * The ancestors of this process up to the outermost package manager. `npx` may start a shell, which starts `pnpm`, which
 * starts a shell, which starts the server. A signal to the first process reaches none of the others.
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

/** Reads Linux's process list. On other systems it finds nothing. */
const look = (pid: number): Listed | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    // The process name stands in brackets and may contain any character.
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

/** Sends this server SIGTERM when the package manager that started it has ended. */
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
