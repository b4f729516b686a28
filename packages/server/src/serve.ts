import { Channels } from "@countersign/core"
import { Console, Effect } from "effect"
import * as App from "./App.ts"
import * as Configuration from "./Configuration.ts"
import * as Demo from "./Demo.ts"
import * as FirstMerchant from "./FirstMerchant.ts"
import * as HttpServer from "./HttpServer.ts"
import * as MasterSecret from "./MasterSecret.ts"
import { problemsOfSimulating, type Stage, stageOf } from "./Stage.ts"
import * as Welcome from "./Welcome.ts"

const started = Effect.fnUntraced(function* (configuration: Configuration.Configuration, stage: Stage) {
  const mount = yield* Demo.mount(stage)
  // Before keys are made: on a port that is taken they would be made and never be shown.
  const port = yield* HttpServer.serve({
    ...configuration,
    mount,
    bounds: configuration.maxConnections === undefined ? {} : { connections: configuration.maxConnections }
  })
  const made = yield* FirstMerchant.ensure(configuration)
  // Port 0 lets the system choose.
  const url = configuration.port === 0 ? `http://localhost:${port}` : configuration.publicUrl
  if (made !== null) yield* Console.log(Welcome.firstStart(url, made, stage))
  const channels = (yield* Channels).all
  yield* Console.log(Welcome.summary(configuration, { port, channels, stage }))
  yield* Console.log(Welcome.started(url, { outbox: stage !== "REAL", demo: mount !== undefined }))
  return yield* Effect.never
})

/** Runs the service until it is told to stop. With `simulate`, providers are simulated on this machine. */
export const serve = Effect.fnUntraced(function* (options: { readonly simulate: boolean }) {
  const configuration = yield* Configuration.read(process.env)
  const problems = options.simulate ? problemsOfSimulating(configuration) : []
  if (problems.length > 0) return yield* new Configuration.InvalidConfiguration({ problems })
  const stage = stageOf(configuration, options)
  return yield* Effect.provide(Effect.scoped(started(configuration, stage)), App.layer(configuration, stage)).pipe(
    Effect.catchTag("UnknownSecret", () =>
      Effect.fail(new Configuration.InvalidConfiguration({ problems: [MasterSecret.unknown(configuration)] }))
    )
  )
})
