import { Result, Schema } from "effect"

/** One option that cannot work. `problem` says what it must be, and repeats no value: options hold passwords. */
export const OptionProblem = Schema.Struct({
  /** The option's name in the adapter's own options, so that whoever read it from elsewhere can name its source. */
  option: Schema.String,
  /** Follows the option's name in a sentence: `must be AC and 32 hex digits`. */
  problem: Schema.String
})
export type OptionProblem = typeof OptionProblem.Type

/** What speaks against each option; null when nothing does. An option without a rule does not compile. */
export type OptionRules<Options> = { readonly [option in keyof Options]-?: (options: Options) => string | null }

/**
 * A channel cannot be made of these options. Everything that is wrong with them is here at once.
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

/** Checks every option, so that one start tells of all mistakes. */
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
