import { Effect } from "effect"

/** One result of `countersign check`. No text contains a secret. */
export interface Finding {
  /** The subject of the check: `database`, `SMS through twilio`, `COUNTERSIGN_SECRET`. */
  readonly what: string
  /** A warning does not stop a start; a problem does. */
  readonly state: "ok" | "warning" | "problem"
  readonly detail: string
  /** What the operator can do. */
  readonly advice: string | null
}

export const ok = (what: string, detail: string): Finding => ({ what, state: "ok", detail, advice: null })

export const warning = (what: string, detail: string, advice: string): Finding => ({
  what,
  state: "warning",
  detail,
  advice
})

export const problem = (what: string, detail: string, advice: string | null = null): Finding => ({
  what,
  state: "problem",
  detail,
  advice
})

/** Parses a configuration problem of the form `VARIABLE: problem`. */
export const ofLine = (state: "warning" | "problem", line: string): Finding => {
  const colon = line.indexOf(": ")
  return { what: line.slice(0, colon), state, detail: line.slice(colon + 2), advice: null }
}

const deadline = 10

/** Reports a problem when the probe does not finish within the deadline. */
export const inTime = <R>(
  what: string,
  probe: Effect.Effect<ReadonlyArray<Finding>, never, R>
): Effect.Effect<ReadonlyArray<Finding>, never, R> =>
  Effect.timeoutOrElse(probe, {
    duration: `${deadline} seconds`,
    orElse: () =>
      Effect.succeed([
        problem(
          what,
          `did not answer within ${deadline} seconds`,
          "check that this machine can reach it, and try again"
        )
      ])
  })

/** Formats findings as a table. The advice stands below its finding. */
export const table = (findings: ReadonlyArray<Finding>): string => {
  const width = Math.max(...findings.map(({ what }) => what.length))
  const lines = findings.map(({ advice, detail, state, what }) => {
    const line = `${state.padEnd(7)}  ${what.padEnd(width)}  ${detail}`
    return advice === null ? line : `${line}\n${" ".repeat(9)}${" ".repeat(width)}  ${advice}`
  })
  const count = (state: Finding["state"]) => findings.filter((finding) => finding.state === state).length
  const some = (n: number, word: string) => (n === 0 ? [] : [`${n} ${word}${n === 1 ? "" : "s"}`])
  const summary = [...some(count("problem"), "problem"), ...some(count("warning"), "warning")]
  return [...lines, "", summary.length === 0 ? "No problems found" : summary.join(", ")].join("\n")
}
