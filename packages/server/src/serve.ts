import { Channels, NumberVerifiers } from "@countersign/core/channel"
import { Console, Effect } from "effect"
import * as App from "./App.ts"
import * as Configuration from "./Configuration.ts"
import { isSharedBy } from "./ConnectionPlaces.ts"
import * as Dashboard from "./dashboard/Dashboard.ts"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"
import * as Demo from "./Demo.ts"
import { deploymentDiffers } from "./deploymentDiffers.ts"
import { Environment } from "./Environment.ts"
import * as FirstMerchant from "./FirstMerchant.ts"
import * as HttpServer from "./HttpServer.ts"
import * as Launchers from "./Launchers.ts"
import * as MasterSecret from "./MasterSecret.ts"
import * as Providers from "./providers/Providers.ts"
import { problemsOfSimulating, type Stage, stageOf } from "./Stage.ts"
import { unknownVariables } from "./unknownVariables.ts"
import * as Welcome from "./Welcome.ts"
import { withChannels } from "./withChannels.ts"
import * as Parent from "./workers/Parent.ts"
import * as Worker from "./workers/Worker.ts"

/** Repeats the warning every hour, because operators rarely read the first lines of an old log. */
const warnOfProxy = (configuration: Configuration.Configuration) => {
  const problem = Configuration.unnamedProxy(configuration)
  return problem === null
    ? Effect.void
    : Effect.logWarning(problem).pipe(Effect.delay("1 hour"), Effect.forever, Effect.forkScoped, Effect.asVoid)
}

/**
 * Binds the ports before anything is created or migrated. A worker that starts beside others binds them only when it can
 * serve, because the parent sends it connections from then on. The first worker starts alone, so it binds immediately.
 */
const bound = (configuration: Configuration.Configuration) =>
  HttpServer.bind({
    ...configuration,
    isShared: isSharedBy(configuration.trustedProxies),
    bounds: configuration.maxConnections === undefined ? {} : { connections: configuration.maxConnections }
  })

const started = Effect.fnUntraced(function* (
  configuration: Configuration.Configuration,
  stage: Stage,
  before: HttpServer.Bound | undefined
) {
  yield* Worker.isWorker() ? Worker.followParent : Launchers.follow
  yield* warnOfProxy(configuration)
  const demo = yield* Demo.mount(stage)
  const page = configuration.dashboard ? yield* Dashboard.mount(configuration, stage) : undefined
  const mounts = [...(yield* HttpServer.Mounts), demo, page].filter((mount) => mount !== undefined)
  // The configured keys must exist before the first request is served.
  const made = yield* FirstMerchant.ensure(configuration)
  const { managementPort, open, port, retire } = before ?? (yield* bound(configuration))
  yield* open(mounts)
  // With port 0 the system chooses the port.
  const url = configuration.port === 0 ? `http://localhost:${port}` : configuration.publicUrl
  if (made !== null) {
    const link = yield* FirstMerchant.ownerLink(made.merchant.id, url)
    yield* Console.log(Welcome.firstStart(url, made, link, stage))
  }
  const channels = (yield* Channels).all
  const verifiers = (yield* NumberVerifiers).all
  const lines = [
    Welcome.summary(configuration, { port, managementPort, channels, verifiers, stage }),
    Welcome.started(url, { dashboard: page !== undefined, outbox: stage !== "REAL", demo: demo !== undefined })
  ]
  if (!Worker.isWorker()) {
    yield* Console.log(lines.join("\n"))
    return yield* Effect.never
  }
  yield* Worker.ready(lines)
  yield* Worker.retired
  yield* retire
  return yield* Worker.end
})

const problemsOfProviders = ({ providers, publicUrl }: Configuration.Configuration) =>
  Providers.means(providers, publicUrl).pipe(
    Effect.match({ onFailure: ({ problems }) => problems, onSuccess: (): ReadonlyArray<string> => [] }),
    Effect.scoped
  )

/** How long a worker may take to start, in milliseconds: it may wait for Postgres and then migrate tables. */
const patienceOf = ({ databaseWaitSeconds }: Configuration.Configuration) => (databaseWaitSeconds + 300) * 1_000

/** Runs the parent of the workers. It serves no requests itself. */
const group = (configuration: Configuration.Configuration, size: number, objections: () => ReadonlyArray<string>) =>
  Effect.andThen(
    Launchers.follow,
    Parent.run({
      size,
      overlap: configuration.databaseUrl !== undefined,
      patience: patienceOf(configuration),
      objections
    })
  ).pipe(Effect.scoped, Effect.provide(App.logs))

/** The command-line options of `serve`. */
export interface ServeOptions {
  readonly simulate: boolean
  /** Modules with the operator's own channels, in addition to `COUNTERSIGN_CHANNELS`. */
  readonly channel: ReadonlyArray<string>
}

/** Runs the service until it is interrupted. With `simulate`, providers are simulated on this machine. */
export const serve = Effect.fnUntraced(function* (options: ServeOptions) {
  const environment = yield* Environment
  const { configuration: given, problems, warnings } = Configuration.examine(environment)
  // The parent has printed these lines already.
  const lines = Worker.isWorker() ? [] : [...unknownVariables(environment), ...warnings]
  for (const line of lines) yield* Console.error(line)
  const configuration = withChannels(given, options.channel)
  if (options.simulate) problems.push(...problemsOfSimulating(configuration))
  // The start fails anyway: check the providers too, so that the operator sees all problems together.
  if (problems.length > 0) {
    if (!options.simulate) problems.push(...(yield* problemsOfProviders(configuration)))
    return yield* new InvalidConfiguration({ problems })
  }
  if (configuration.workers !== undefined && !Worker.isWorker())
    return yield* group(configuration, configuration.workers, () => Configuration.examine(environment).problems)
  const stage = stageOf(configuration, options)
  return yield* Effect.gen(function* () {
    const before = Worker.startsBesideOthers() ? undefined : yield* bound(configuration)
    return yield* Effect.provide(Effect.scoped(started(configuration, stage, before)), App.layer(configuration, stage))
  }).pipe(
    Effect.scoped,
    Effect.catchTags({
      UnknownSecret: () => Effect.fail(new InvalidConfiguration({ problems: [MasterSecret.unknown(configuration)] })),
      DeploymentDiffers: (differs) => Effect.fail(new InvalidConfiguration({ problems: [deploymentDiffers(differs)] }))
    })
  )
})
