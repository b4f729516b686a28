import { spawn, spawnSync } from "node:child_process"
import { existsSync, readdirSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sessionSettings } from "@countersign/postgres"
import type { Filled } from "./Fill.ts"
import type { Postgres } from "./Postgres.ts"
import type { Captured, Statement } from "./Statements.ts"

const candidates = () => {
  const root = "/usr/lib/postgresql"
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : []
  return ["pgbench", ...versions.map((version) => join(root, version, "bin", "pgbench"))]
}

/** pgbench of this machine, or undefined where there is none. */
export const find = (): string | undefined =>
  candidates().find((program) => spawnSync(program, ["--version"]).status === 0)

/** A script of pgbench with its constants: they travel as parameters, not in the statement's text. */
export interface Script {
  readonly lines: ReadonlyArray<string>
  readonly variables: Readonly<Record<string, string>>
}

/** Leases that end in that year are nobody's business but ours: the service must not take up pgbench's jobs. */
const farYear = "2099"
const instant = /^(\{"?)[0-9]{4}(?=-[0-9]{2}-[0-9]{2} )/

/** Makes statements pgbench's own: `replace` says which parameters are another value in every transaction. */
const scriptOf = (
  statements: ReadonlyArray<Statement>,
  sets: ReadonlyArray<string>,
  replace: (parameter: string) => string | undefined
): Script => {
  const variables: Record<string, string> = {}
  const lines = statements.map(
    ({ parameters, text }, s) =>
      `${text.trim().replaceAll(/\$([0-9]+)/g, (_, number) => {
        const value = parameters[Number(number) - 1]
        if (value == null) return "null"
        const replaced = replace(value)
        if (replaced !== undefined) return replaced
        const name = `s${s}p${number}`
        variables[name] = value.replace(instant, `$1${farYear}`)
        return `:${name}`
      })};`
  )
  return { lines: [...sets, ...lines.map((line) => line.replaceAll("\n", " "))], variables }
}

/** Load and commit of one new person. Keys are fresh, identifiers grow as real ones do; all else is as captured. */
export const initiateScript = ({ canonical, id, initiate }: Captured): Script => {
  const key = id.slice(4, 14)
  return scriptOf(
    initiate,
    [
      "\\set person random(917000000000, 919999999999)",
      "\\set number 1000000000000000 + :round * 10000000000000 + :n * 1000 + :client_id",
      "\\set n :n + 1"
    ],
    (parameter) => {
      if (parameter === `{${canonical}}`) return "array[:person::text]"
      const made = /^\{((?:[a-z]+:)?[a-z]{3}_)[0-9a-z]{26}\}$/.exec(parameter)
      return made === null ? undefined : `array['${made[1]!.replace(":", "' || ':' || '")}${key}' || :number]`
    }
  )
}

/** The select of a status, of any of the filled rows. */
export const statusScript = ({ environment, id, status }: Captured, filled: Filled): Script =>
  scriptOf(
    status.map(({ parameters, text }) => ({
      text,
      parameters: parameters.map((parameter) =>
        parameter === `{${environment}}` ? `{${filled.environment}}` : parameter
      )
    })),
    [`\\set row random(1, ${filled.rows})`],
    (parameter) => (parameter === `{${id}}` ? `array['${filled.idPrefix}' || (${filled.idBase} + :row)]` : undefined)
  )

export class Pgbench {
  readonly #program: string
  readonly #postgres: Postgres
  #round = 0

  constructor(program: string, postgres: Postgres) {
    this.#program = program
    this.#postgres = postgres
  }

  /** Transactions a second. */
  async run(database: string, script: Script, clients: number, seconds: number): Promise<number> {
    const folder = await mkdtemp(join(tmpdir(), "countersign-pgbench-"))
    const file = join(folder, "script.sql")
    await writeFile(file, `${script.lines.join("\n")}\n`)
    const variables = { ...script.variables, n: "0", round: String(++this.#round) }
    const { password, port } = this.#postgres
    try {
      const output = await new Promise<string>((resolve, reject) => {
        const child = spawn(
          this.#program,
          [
            "--no-vacuum",
            "--protocol=prepared",
            `--client=${clients}`,
            "--jobs=2",
            `--time=${seconds}`,
            ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
            `--file=${file}`,
            "--host=127.0.0.1",
            `--port=${port}`,
            "--username=postgres",
            database
          ],
          {
            env: {
              ...process.env,
              PGPASSWORD: password,
              PGOPTIONS: Object.entries(sessionSettings)
                .map(([name, value]) => `-c ${name}=${value}`)
                .join(" ")
            }
          }
        )
        let text = ""
        child.stdout.on("data", (chunk: Buffer) => (text += String(chunk)))
        child.stderr.on("data", (chunk: Buffer) => (text += String(chunk)))
        child.once("error", reject)
        child.once("close", (code) => (code === 0 ? resolve(text) : reject(new Error(`pgbench failed\n${text}`))))
      })
      const tps = /tps = ([0-9.]+)/.exec(output)?.[1]
      if (tps === undefined || /error|aborted/i.test(output)) throw new Error(`pgbench: ${output}`)
      return Number(tps)
    } finally {
      await this.#postgres.query(database, `delete from job where run_at >= '${farYear}-01-01'`)
      await this.#postgres.query(database, "vacuum job")
      await rm(folder, { recursive: true, force: true })
    }
  }
}
