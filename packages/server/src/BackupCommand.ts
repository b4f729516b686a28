import { fitsSecret, Keyring } from "@countersign/core"
import { Restore } from "@countersign/core/storage"
import { PgBackup } from "@countersign/postgres"
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import packageJson from "../package.json" with { type: "json" }
import * as Assets from "./Assets.ts"
import * as Configuration from "./Configuration.ts"
import { Environment } from "./Environment.ts"
import * as MasterSecret from "./MasterSecret.ts"

const file = Argument.String("file").pipe(
  Argument.withDescription("The backup file, or - for standard input or output")
)

const placeOf = ({ databaseSchema, databaseUrl, dataDirectory }: Configuration.Configuration): PgBackup.Place =>
  databaseUrl === undefined
    ? { directory: dataDirectory, files: Assets.embedded }
    : { url: databaseUrl, schema: databaseSchema }

export const backup = Command.make(
  "backup",
  { file },
  Effect.fnUntraced(function* ({ file }) {
    const configuration = yield* Configuration.read(yield* Environment, "command")
    const to = file === "-" ? process.stdout : file
    yield* PgBackup.backup({ from: placeOf(configuration), to, version: packageJson.version })
    if (file !== "-")
      yield* Console.log(
        `Backed up to ${file}, without the master secret. Store COUNTERSIGN_SECRET separately: a restore needs it`
      )
  })
).pipe(Command.withDescription("Back up everything except the master secret to a file, while the service runs"))

const resume = Flag.Boolean("resume").pipe(
  Flag.withDescription(
    "Send the messages that were queued. Use it only if the service was stopped before the backup and has not run since"
  ),
  Flag.withDefault(false)
)

export const restore = Command.make(
  "restore",
  { file, resume },
  Effect.fnUntraced(function* ({ file, resume }) {
    const configuration = yield* Configuration.read(yield* Environment, "service")
    const secret = yield* MasterSecret.resolve(configuration)
    const { ended, header, putAside, rows } = yield* PgBackup.restore({
      into: placeOf(configuration),
      from: file === "-" ? process.stdin : file,
      resume,
      fits: ({ fingerprints }) =>
        fitsSecret(fingerprints).pipe(
          Effect.provide(Keyring.layer({ secret, previous: configuration.previousSecrets })),
          Effect.orElseSucceed(() => false)
        )
    })
    yield* Console.log(`Restored ${rows} rows from the backup of ${header.at}`)
    if (putAside.jobs > 0 || putAside.campaigns > 0)
      yield* Console.log(
        `Held back ${putAside.jobs} queued messages and paused ${putAside.campaigns} campaigns, so that nothing is sent twice`
      )
    if (ended !== null) {
      yield* Console.log(
        `Ended ${ended.verifications} pending verifications, ${ended.sessions} sessions, and all unused sign-in links and device tokens`
      )
      yield* Console.log(Restore.instructions(header.at).join("\n"))
    }
  })
).pipe(Command.withDescription("Restore a backup into an empty database or data directory"))
