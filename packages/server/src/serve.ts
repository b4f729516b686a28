import { Console, Effect } from "effect"
import * as App from "./App.ts"
import * as Configuration from "./Configuration.ts"
import * as Demo from "./Demo.ts"
import * as FirstMerchant from "./FirstMerchant.ts"
import * as HttpServer from "./HttpServer.ts"
import * as Welcome from "./Welcome.ts"

const started = Effect.fnUntraced(function* (configuration: Configuration.Configuration) {
  const made = yield* FirstMerchant.ensure(configuration)
  const mount = yield* Demo.mount(configuration)
  const port = yield* HttpServer.serve({ ...configuration, mount })
  // Port 0 lets the system choose.
  const url = configuration.port === 0 ? `http://localhost:${port}` : configuration.publicUrl
  if (made !== null) yield* Console.log(Welcome.firstStart(url, made))
  yield* Console.log(
    Welcome.started(url, { embedded: configuration.databaseUrl === undefined, demo: mount !== undefined })
  )
  return yield* Effect.never
})

/** Runs the service until it is told to stop. With `simulate`, providers are simulated on this machine. */
export const serve = Effect.fnUntraced(function* (options: { readonly simulate: boolean }) {
  const configuration = yield* Configuration.read(process.env)
  return yield* Effect.provide(Effect.scoped(started(configuration)), App.layer(configuration, options))
})
