import { Result, Schema } from "effect"

/** An invalid option. `problem` states the rule and never the value, because options contain passwords. */
export const OptionProblem = Schema.Struct({
  /** The option's name in the adapter, so that the caller can map it to its own source, such as a variable. */
  option: Schema.String,
  /** The rule, worded to follow the option's name: `must be AC and 32 hex digits`. */
  problem: Schema.String
})
export type OptionProblem = typeof OptionProblem.Type

/** The problem of each option; null when it is valid. Omitting one is a compile error. */
export type OptionRules<Options> = { readonly [option in keyof Options]-?: (options: Options) => string | null }

/**
 * A channel cannot be created with these options. Contains all problems.
 *
 * @example
 * ```ts
 * import { checkOptions, type OptionRules } from "@countersign/core/channel"
 *
 * interface Options {
 *   readonly url: string
 *   readonly perSecond?: number
 * }
 *
 * const rules: OptionRules<Options> = {
 *   url: ({ url }) => (URL.canParse(url) ? null : "must be an address"),
 *   perSecond: ({ perSecond = 1 }) => (perSecond > 0 ? null : "must be greater than 0")
 * }
 *
 * checkOptions("acme", { url: "", perSecond: 0 }, rules)
 * // fails with InvalidOptions: acme: url must be an address; perSecond must be greater than 0
 * ```
 */
export class InvalidOptions extends Schema.TaggedError<InvalidOptions>()("InvalidOptions", {
  provider: Schema.String,
  problems: Schema.Array(OptionProblem)
}) {
  override get message(): string {
    return `${this.provider}: ${this.problems.map(({ option, problem }) => `${option} ${problem}`).join("; ")}`
  }
}

/** Checks all options, so that one start reports every problem. */
export const checkOptions = <Options extends object>(
  provider: string,
  options: Options,
  rules: OptionRules<Options>
): Result.Result<Options, InvalidOptions> => {
  const problems: Array<OptionProblem> = []
  for (const option in rules) {
    const problem = rules[option](options)
    if (problem !== null) problems.push({ option, problem })
  }
  return problems.length === 0 ? Result.succeed(options) : Result.fail(new InvalidOptions({ provider, problems }))
}
