import { Schema } from "effect"
import type { CliError } from "effect/cli"

/** The command was not understood. Two lines: what is wrong, and what to do. */
export class UsageMistake extends Schema.TaggedError<UsageMistake>()("UsageMistake", {
  problems: Schema.Array(Schema.String)
}) {}

const meant = (suggestions: ReadonlyArray<string>) =>
  suggestions[0] === undefined ? "" : `; did you mean ${suggestions[0]}?`

/** What was typed may be a secret that belonged elsewhere, so of arguments and values only the name is repeated. */
const said = (error: CliError.NonShowHelpErrors): string => {
  switch (error._tag) {
    case "UnknownSubcommand":
      return `There is no command ${error.subcommand}${meant(error.suggestions)}`
    case "UnrecognizedOption":
      return `There is no option ${error.option.split("=", 1)[0]}${meant(error.suggestions)}`
    case "DuplicateOption":
      return `--${error.option} is given twice`
    case "MissingOption":
      return `--${error.option} is missing`
    case "MissingArgument":
      return `<${error.argument}> is missing`
    case "UnexpectedArgument":
      return "There are more arguments than this command takes"
    case "InvalidValue":
      return `${error.kind === "flag" ? `--${error.option}` : `<${error.option}>`} has a value that it does not take`
    default:
      return "The command cannot be understood"
  }
}

/** What to write for a command that was not understood: never the whole help. */
export const mistakeOf = ({ commandPath, errors }: CliError.ShowHelp): UsageMistake => {
  const [first] = errors
  const problem = first === undefined ? "The command cannot be understood" : said(first)
  return new UsageMistake({ problems: [problem, `Try: ${commandPath.join(" ")} --help`] })
}
