export type Environment = { readonly [name: string]: string | undefined }

/** A variable that the server reads. Texts may contain backquotes; `more` may also contain links. */
export interface Variable {
  readonly name: string
  /** One line: lower case at the start, no full stop at the end. */
  readonly about: string
  /** The value when the variable is not set. Shown as "none" when absent. */
  readonly default?: string
  readonly example: string
  /** The value is never printed, and may be read from the file that `NAME_FILE` names. */
  readonly secret?: true
  /** Variables that must be set together with this one. */
  readonly needs?: ReadonlyArray<string>
  /** How to get a valid value. Added to problems with this variable. */
  readonly hint?: string
  /** Follows `about` in docs/configuration.md. */
  readonly more?: string
}

/** Variables that are documented together. */
export interface VariableGroup {
  /** The name of the group's table in docs/configuration.md. */
  readonly id: string
  readonly title: string
  /** Unknown variables with this prefix are reported at the start. */
  readonly prefix?: string
  /** The same, for a group with several prefixes. */
  readonly prefixes?: ReadonlyArray<string>
  /** Whether the table shows which variables are required, as for a provider. */
  readonly together?: true
  readonly variables: ReadonlyArray<Variable>
}

/** The variable with the path of a secret's file. */
export const fileOf = (name: string): string => `${name}_FILE`

/** The names of variables, including the `_FILE` variables of secrets. */
export const namesOf = (variables: ReadonlyArray<Variable>): ReadonlyArray<string> =>
  variables.flatMap(({ name, secret }) => (secret === true ? [name, fileOf(name)] : [name]))
