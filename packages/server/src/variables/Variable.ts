/** A variable that the server reads. Texts may have backquotes; `more` may have links of docs/configuration.md, too. */
export interface Variable {
  readonly name: string
  /** What it is for, in one line that begins small and ends without a stop. */
  readonly about: string
  /** What counts where it is not given; "none" unless said. */
  readonly default?: string
  readonly example: string
  /** Never shown, and may be read from the file that `NAME_FILE` names. */
  readonly secret?: true
  /** What must be given with it. */
  readonly needs?: ReadonlyArray<string>
  /** How to come by a good one, for whoever gave none or a bad one. */
  readonly hint?: string
  /** What docs/configuration.md says behind `about`. */
  readonly more?: string
}

/** Variables that are told together. */
export interface VariableGroup {
  /** How docs/configuration.md asks for its table. */
  readonly id: string
  readonly title: string
  /** Whose names begin so is meant for us: what there is not of them is named at the start. */
  readonly prefix?: string
  /** The same, where there are several. */
  readonly prefixes?: ReadonlyArray<string>
  /** Whether some of them are required as soon as there is one that needs them, as of a provider. */
  readonly together?: true
  readonly variables: ReadonlyArray<Variable>
}

/** Where a secret may be read from instead. */
export const fileOf = (name: string): string => `${name}_FILE`

/** The names of variables and of the files of secrets. */
export const namesOf = (variables: ReadonlyArray<Variable>): ReadonlyArray<string> =>
  variables.flatMap(({ name, secret }) => (secret === true ? [name, fileOf(name)] : [name]))
