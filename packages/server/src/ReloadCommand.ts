import { Console, Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CannotReload, parentToReload, runningServers } from "./workers/reload.ts"

const pid = Flag.Int("pid").pipe(
  Flag.withDescription("The server's process id, when several run on this machine"),
  Flag.optional
)

const failing = <A>(result: A | CannotReload): Effect.Effect<A, CannotReload> =>
  result instanceof CannotReload ? Effect.fail(result) : Effect.succeed(result)

/** `countersign reload` */
export const command = Command.make(
  "reload",
  { pid },
  Effect.fnUntraced(function* ({ pid }) {
    const servers = yield* failing(runningServers())
    const parent = yield* failing(parentToReload(servers, Option.getOrNull(pid)))
    yield* Effect.try({
      try: () => process.kill(parent, "SIGHUP"),
      catch: (cause) => new CannotReload({ why: `Cannot send SIGHUP to process ${parent}: ${String(cause)}` })
    })
    yield* Console.log(
      `Process ${parent} is replacing its workers, one at a time. Its log reports when all are replaced`
    )
  })
).pipe(
  Command.withDescription("Replace the workers of the running service, to load a new version or changed secret files")
)
