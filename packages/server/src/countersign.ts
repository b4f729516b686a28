import { InvalidField, UnknownHook, UnknownKey, UnknownMerchant } from "@countersign/core"
import { StoreError } from "@countersign/core/storage"
import { StorageStartError } from "@countersign/postgres"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Data, Effect } from "effect"
import { Argument, CliError, CliOutput, Command, Flag } from "effect/cli"
import packageJson from "../package.json" with { type: "json" }
import * as BackupCommand from "./BackupCommand.ts"
import * as BillingCommand from "./BillingCommand.ts"
import * as CheckCommand from "./check/CheckCommand.ts"
import { variablesHelp, variablesOverview } from "./help.ts"
import { Environment } from "./Environment.ts"
import { healthy } from "./healthy.ts"
import * as HookCommand from "./HookCommand.ts"
import * as KeysCommand from "./KeysCommand.ts"
import * as MerchantCommand from "./MerchantCommand.ts"
import { migrate } from "./migrate.ts"
import { mistakeOf, UsageMistake } from "./mistakes.ts"
import * as ReloadCommand from "./ReloadCommand.ts"
import { serve } from "./serve.ts"
import { channel } from "./withChannels.ts"

const simulate = Flag.Boolean("simulate").pipe(
  Flag.withDescription("Send to simulated providers on this machine instead of real ones"),
  Flag.withDefault(false)
)

const topic = Argument.String("command").pipe(
  Argument.withDescription("The name of a command, or variables to list all environment variables"),
  Argument.variadic()
)

const help = Command.make("help", { topic }, ({ topic }) =>
  topic.join(" ") === "variables" ? Console.log(variablesHelp) : run([...topic, "--help"])
).pipe(Command.withDescription("Show help for a command, or for all variables"))

class NotHealthy extends Data.TaggedError("NotHealthy")<{ readonly message: string }> {}

const isHealthy = Effect.flatMap(Environment, (environment) =>
  Effect.tryPromise({
    try: () => healthy(environment),
    catch: (error) => new NotHealthy({ message: error instanceof Error ? error.message : String(error) })
  })
)

const program = Command.make("countersign").pipe(
  Command.withDescription("An open-source verification service"),
  Command.withExamples([
    {
      command: "countersign serve",
      description: "Run the service, with its data in .countersign and messages on the console"
    },
    { command: "countersign check", description: "Check the configuration before a start" },
    { command: "countersign merchant create Acme", description: "Create a merchant and its keys" }
  ]),
  Command.withSubcommands([
    Command.make("serve", { simulate, channel }, serve).pipe(Command.withDescription("Run the service")),
    CheckCommand.command,
    ReloadCommand.command,
    Command.make("healthy", {}, () => isHealthy).pipe(
      Command.withDescription("Check that the service on this machine is ready. Exits with 1 if it is not")
    ),
    Command.make("migrate", {}, () => migrate).pipe(Command.withDescription("Migrate the database tables")),
    BackupCommand.backup,
    BackupCommand.restore,
    MerchantCommand.command,
    KeysCommand.command,
    HookCommand.command,
    BillingCommand.command,
    help
  ])
)

/** Text that help prints after a command's options. */
const more: Readonly<Record<string, string>> = {
  countersign: variablesOverview,
  "countersign serve": variablesHelp,
  "countersign check": variablesHelp
}

/** Prints help on stdout. An invalid invocation is reported through its error instead. */
const presenter: CliOutput.Presenter = {
  present: Effect.fnUntraced(function* (event) {
    if (event._tag === "InvalidInvocation") return
    yield* CliOutput.defaultPresenter.present(event)
    const variables = event._tag === "Help" ? more[event.commandPath.join(" ")] : undefined
    if (variables !== undefined) yield* Console.log(`\n${variables}`)
  })
}

/** The variable to check when storage cannot start. */
const variableOf = ({ reason }: StorageStartError) => {
  if (["DirectoryInUse", "EmbeddedUnavailable", "NotPrivate"].includes(reason._tag)) return "COUNTERSIGN_DATA_DIR"
  return ["SchemaMissing", "ForeignTables"].includes(reason._tag) ? "DATABASE_SCHEMA" : "DATABASE_URL"
}

/** The lines that tell the operator why a command failed, without internals. */
const explain = (error: unknown): ReadonlyArray<string> => {
  if (typeof error !== "object" || error === null) return [String(error)]
  if ("problems" in error && Array.isArray(error.problems)) return error.problems.map(String)
  if (error instanceof StorageStartError) {
    const other = error.reason._tag === "EmbeddedUnavailable" ? ". Or set DATABASE_URL to use your own Postgres" : ""
    return [`${variableOf(error)}: ${error.message}${other}`]
  }
  if (error instanceof StoreError && error.away) return ["DATABASE_URL: lost the connection to Postgres; try again"]
  if (error instanceof UnknownMerchant) return [`Merchant ${error.id} does not exist`]
  if (error instanceof UnknownKey) return [`Key ${error.id} does not exist at this merchant, or was revoked`]
  if (error instanceof UnknownHook) return ["This merchant has no hook with this id"]
  if (error instanceof InvalidField) return [`${error.field}: ${error.problem}`]
  return [error instanceof Error && error.message !== "" ? error.message : JSON.stringify(error)]
}

/** 2 for an invalid invocation, 1 for every other failure. */
export const exitCodeOf = (error: unknown): number => (error instanceof UsageMistake ? 2 : 1)

const isShowHelp = (error: unknown): error is CliError.ShowHelp =>
  CliError.isCliError(error) && error._tag === "ShowHelp"

const run = (args: ReadonlyArray<string>): Effect.Effect<void, unknown> =>
  Command.runWith(program, { version: packageJson.version })(args).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.catchIf(isShowHelp, (shown) => (shown.errors.length === 0 ? Effect.void : Effect.fail(mistakeOf(shown))))
  )

/** Runs the command line `args` with the variables of `Environment`. Writes errors to stderr, and fails with them. */
export const countersign = (args: ReadonlyArray<string>) =>
  Effect.tapError(run(args), (error) =>
    error instanceof CheckCommand.ChecksFailed ? Effect.void : Console.error(explain(error).join("\n"))
  )
