import { InvalidField, UnknownKey, UnknownMerchant } from "@countersign/core"
import { StorageStartError } from "@countersign/postgres"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import packageJson from "../package.json" with { type: "json" }
import * as KeysCommand from "./KeysCommand.ts"
import * as MerchantCommand from "./MerchantCommand.ts"
import { migrate } from "./migrate.ts"
import { serve } from "./serve.ts"

const simulate = Flag.Boolean("simulate").pipe(
  Flag.withDescription("Send to simulators of every provider on this machine, instead of to providers"),
  Flag.withDefault(false)
)

const channel = Flag.String("channel").pipe(
  Flag.withMetavar("./acme-sms.js"),
  Flag.withDescription("Send through the channels of this module; as often as there are modules"),
  Flag.atLeast(0)
)

const program = Command.make("countersign").pipe(
  Command.withDescription("An open-source verification service"),
  Command.withSubcommands([
    Command.make("serve", { simulate, channel }, serve).pipe(Command.withDescription("Run the service")),
    Command.make("migrate", {}, () => migrate).pipe(Command.withDescription("Bring the tables up to date")),
    MerchantCommand.command,
    KeysCommand.command
  ])
)

/** Which variable to look at when storage cannot be used. */
const variableOf = ({ reason }: StorageStartError) =>
  ["DirectoryInUse", "EmbeddedUnavailable", "NotPrivate"].includes(reason._tag)
    ? "COUNTERSIGN_DATA_DIR"
    : "DATABASE_URL"

/** What stops a start is for the operator: one line each, nothing of our insides. */
const explain = (error: unknown): ReadonlyArray<string> => {
  if (typeof error !== "object" || error === null) return [String(error)]
  if ("problems" in error && Array.isArray(error.problems)) return error.problems.map(String)
  if (error instanceof StorageStartError) {
    const other =
      error.reason._tag === "EmbeddedUnavailable" ? ". Or set DATABASE_URL, to use a Postgres of your own" : ""
    return [`${variableOf(error)}: ${error.message}${other}`]
  }
  if (error instanceof UnknownMerchant) return [`There is no merchant ${error.id}`]
  if (error instanceof UnknownKey) return [`This merchant has no key ${error.id}, or it was revoked`]
  if (error instanceof InvalidField) return [`${error.field}: ${error.problem}`]
  return [error instanceof Error && error.message !== "" ? error.message : JSON.stringify(error)]
}

/** Runs what the arguments ask for, in the `Environment`'s variables. What stops it is written to stderr. */
export const countersign = (args: ReadonlyArray<string>) =>
  Command.runWith(program, { version: packageJson.version })(args).pipe(
    Effect.provide(NodeServices.layer),
    Effect.tapError((error) => Console.error(explain(error).join("\n")))
  )
