export type Environment = { readonly [name: string]: string | undefined }

/** Reads variables and remembers what is wrong with each, so that the operator hears of all at once. */
export class VariableReader {
  readonly problems: Array<string> = []
  readonly #environment: Environment
  constructor(environment: Environment) {
    this.#environment = environment
  }

  text(name: string): string | undefined {
    const value = this.#environment[name]?.trim()
    return value === undefined || value === "" ? undefined : value
  }

  read<A>(name: string, parse: (text: string) => A | undefined, problem: string): A | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    const value = parse(text)
    if (value === undefined) this.refuse(name, problem)
    return value
  }

  refuse(name: string, problem: string): void {
    this.problems.push(`${name}: ${problem}`)
  }

  /** Whether a provider is wanted that needs all of `required`: with one of `names` but not all of those, it is refused. */
  wants(names: ReadonlyArray<string>, required: ReadonlyArray<string>): boolean {
    const given = names.find((name) => this.text(name) !== undefined)
    if (given === undefined) return false
    const missing = required.filter((name) => this.text(name) === undefined)
    for (const name of missing) this.refuse(name, `is required together with ${given}`)
    return missing.length === 0
  }
}
