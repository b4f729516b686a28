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

/** Repeats the warning of the start for as long as it holds: nobody reads the first lines of an old log. */
const warnOfProxy = (configuration: Configuration.Configuration) => {
  const problem = Configuration.unnamedProxy(configuration)
  return problem === null
    ? Effect.void
    : Effect.logWarning(problem).pipe(Effect.delay("1 hour"), Effect.forever, Effect.forkScoped, Effect.asVoid)
}

/**
 * Binds the ports before anything is made or migrated. A worker that starts beside others binds them when it can serve,
 * because the parent hands it connections from then on. The first worker starts alone, so it binds at once.
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
  // No request is served before the configured keys open something.
  const made = yield* FirstMerchant.ensure(configuration)
  const { managementPort, open, port, retire } = before ?? (yield* bound(configuration))
  yield* open(mounts)
  // Port 0 lets the system choose.
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

/** A successor may have tables to bring up to date, as long as it waits for a Postgres that does not answer yet. */
const patienceOf = ({ databaseWaitSeconds }: Configuration.Configuration) => (databaseWaitSeconds + 300) * 1_000

/** The parent of a group, which serves nothing itself. */
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

/** What `serve` can be told beside variables. */
export interface ServeOptions {
  readonly simulate: boolean
  /** Modules with channels of the operator's own, beside those of `COUNTERSIGN_CHANNELS`. */
  readonly channel: ReadonlyArray<string>
}

/** Runs the service until it is told to stop. With `simulate`, providers are simulated on this machine. */
export const serve = Effect.fnUntraced(function* (options: ServeOptions) {
  const environment = yield* Environment
  const { configuration: given, problems, warnings } = Configuration.examine(environment)
  // What the parent has said, its workers need not.
  const lines = Worker.isWorker() ? [] : [...unknownVariables(environment), ...warnings]
  for (const line of lines) yield* Console.error(line)
  const configuration = withChannels(given, options.channel)
  if (options.simulate) problems.push(...problemsOfSimulating(configuration))
  // Providers are asked only where the start fails anyway, so that the operator hears of everything at once.
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
