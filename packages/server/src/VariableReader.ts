import type { FilesRead } from "./variables/readFiles.ts"
import { type Environment, fileOf, type Variable } from "./variables/Variable.ts"

/** Reads variables and collects their problems, so that the operator sees all of them together. */
export class VariableReader {
  readonly problems: Array<string> = []
  readonly #environment: Environment
  readonly #fromFiles: ReadonlyMap<string, string>
  readonly #table: ReadonlyMap<string, Variable>
  /** Variables that are set but have no value, because their file could not be read. */
  readonly #unread: ReadonlySet<string>
  constructor(environment: Environment, table: ReadonlyArray<Variable>, files: Pick<FilesRead, "unread" | "values">) {
    this.#environment = environment
    this.#table = new Map(table.map((variable) => [variable.name, variable]))
    this.#fromFiles = files.values
    this.#unread = new Set(files.unread)
  }

  text(name: string): string | undefined {
    if (!this.#table.has(name)) throw new Error(`${name} is read but is missing from the table of variables`)
    const value = this.#fromFiles.get(name) ?? this.#environment[name]?.trim()
    return value === "" ? undefined : value
  }

  read<A>(name: string, parse: (text: string) => A | undefined, problem: string): A | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) this.refuse(name, problem)
    return value
  }

  refuse(name: string, problem: string): void {
    const hint = this.#table.get(name)?.hint
    const said = hint === undefined ? problem : `${problem}; ${hint}`
    this.problems.push(this.#fromFiles.has(name) ? `${fileOf(name)}: the file's content ${said}` : `${name}: ${said}`)
  }

  /** Whether a provider is configured: at least one of its variables with `needs` is set, and so are all their needs. */
  wants(variables: ReadonlyArray<Variable>): boolean {
    const given = variables.filter(({ name, needs }) => needs !== undefined && this.text(name) !== undefined)
    return given.length > 0 && given.every(({ needs = [] }) => needs.every((name) => this.text(name) !== undefined))
  }

  /** Adds a problem for each missing variable that a set variable needs, once per variable. */
  refuseMissing(options: { readonly but: ReadonlyArray<string> }): void {
    const isGiven = (name: string) => this.#unread.has(name) || this.text(name) !== undefined
    const missing = new Map<string, string>()
    for (const { name, needs = [] } of this.#table.values()) {
      if (!isGiven(name)) continue
      for (const need of needs) if (!isGiven(need) && !missing.has(need)) missing.set(need, name)
    }
    for (const [name, given] of missing)
      if (!options.but.includes(name)) this.refuse(name, `is required together with ${given}`)
  }
}
