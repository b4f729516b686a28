import { Schema } from "effect"
import type { CliError } from "effect/cli"

/** An invalid invocation. Two lines: what is wrong, and what to do. */
export class UsageMistake extends Schema.TaggedError<UsageMistake>()("UsageMistake", {
  problems: Schema.Array(Schema.String)
}) {}

const meant = (suggestions: ReadonlyArray<string>) =>
  suggestions[0] === undefined ? "" : `; did you mean ${suggestions[0]}?`

/** Repeats only names of arguments and options, because a value may be a secret typed in the wrong place. */
const said = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnknownSubcommand":
      return `Unknown command ${error.subcommand}${meant(error.suggestions)}`
    case "UnrecognizedOption":
      return `Unknown option ${error.option.split("=", 1)[0]}${meant(error.suggestions)}`
    case "DuplicateOption":
      return `--${error.option} is set twice`
    case "MissingOption":
      return `--${error.option} is missing`
    case "MissingArgument":
      return `<${error.argument}> is missing`
    case "UnexpectedArgument":
      return "Too many arguments for this command"
    case "InvalidValue":
      return `${error.kind === "flag" ? `--${error.option}` : `<${error.option}>`} has an invalid value`
    default:
      return "The command is invalid"
  }
}

/** The error for an invalid invocation. It points to the help instead of printing it. */
export const mistakeOf = ({ commandPath, errors }: CliError.ShowHelp): UsageMistake => {
  const [first] = errors
  const problem = first === undefined ? "The command is invalid" : said(first)
  return new UsageMistake({ problems: [problem, `Try: ${commandPath.join(" ")} --help`] })
}
