import { Console, Effect, Logger, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as Configuration from "../Configuration.ts"
import { Environment } from "../Environment.ts"
import { stageOf } from "../Stage.ts"
import { unknownVariables } from "../unknownVariables.ts"
import { channel, withChannels } from "../withChannels.ts"
import { checkDatabase } from "./checkDatabase.ts"
import { checkDirectory } from "./checkDirectory.ts"
import { checkPort } from "./checkPort.ts"
import { checkProviders } from "./checkProviders.ts"
import { type Finding, inTime, ofLine, ok, table, warning } from "./Finding.ts"

/** At least one check failed. The findings are already printed. */
export class ChecksFailed extends Schema.TaggedError<ChecksFailed>()("ChecksFailed", {}) {}

/** Whether codes go to real phones, and whether the public URL fits that. */
const reach = (configuration: Configuration.Configuration): ReadonlyArray<Finding> => {
  const stage = stageOf(configuration, { simulate: false })
  const { hostname, protocol } = new URL(configuration.publicUrl)
  const isLocal = hostname === "localhost" || hostname === "127.0.0.1"
  if (stage !== "REAL") return [ok("stage", "development: codes appear on the console and at /dev/outbox")]
  return isLocal || protocol === "http:"
    ? [
        warning(
          "PUBLIC_URL",
          `${isLocal ? "points to this machine" : "is not https"}: providers cannot send reports to it, and links in messages do not work`,
          "set the https address that people and providers use to reach this service"
        )
      ]
    : [ok("PUBLIC_URL", configuration.publicUrl)]
}

/** Checks everything that a start needs, concurrently, and changes nothing. */
const look = Effect.fnUntraced(function* (channels: ReadonlyArray<string>) {
  const environment = yield* Environment
  const { configuration: given, problems, warnings } = Configuration.examine(environment)
  const configuration = withChannels(given, channels)
  const lines = [
    ...problems.map((line) => ofLine("problem", line)),
    ...[...warnings, ...unknownVariables(environment)].map((line) => ofLine("warning", line))
  ]
  const probes: ReadonlyArray<readonly [what: string, probe: Effect.Effect<ReadonlyArray<Finding>>]> = [
    ["database", checkDatabase(configuration)],
    ["data directory", checkDirectory(configuration)],
    ["port", checkPort({ what: "port", prefix: "", host: configuration.host, port: configuration.port })],
    ...(configuration.management === undefined
      ? []
      : [
          [
            "management port",
            checkPort({ what: "management port", prefix: "MANAGEMENT_", ...configuration.management })
          ] as const
        ])
  ]
  const found = yield* Effect.all(
    [...probes.map(([what, probe]) => inTime(what, probe)), checkProviders(configuration)],
    { concurrency: "unbounded" }
  )
  return [...(lines.length === 0 ? [ok("variables", "are valid")] : lines), ...reach(configuration), ...found.flat()]
})

/** Silences the log lines of adapters and the database: findings report the same problems. */
const findings = (channels: ReadonlyArray<string>) => Effect.provide(look(channels), Logger.layer([]))

const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print one JSON object: { ok, findings: [{ what, state, detail, advice }] }"),
  Flag.withDefault(false)
)

/** `countersign check` */
export const command = Command.make(
  "check",
  { json, channel },
  Effect.fnUntraced(function* ({ channel, json }) {
    const found = yield* findings(channel)
    const isFine = found.every(({ state }) => state !== "problem")
    yield* Console.log(json ? JSON.stringify({ ok: isFine, findings: found }, null, 2) : table(found))
    if (!isFine) return yield* new ChecksFailed()
  })
).pipe(
  Command.withDescription(
    "Check variables, database, providers, mail server, data directory and port, without sending or changing anything"
  )
)
