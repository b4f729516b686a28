import type { Channel, ChannelName, Prover } from "@countersign/core/channel"
import type { IdentityProvider } from "@countersign/core/person"
import { Effect, Result, type Scope } from "effect"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"
import * as oidc from "./oidc.ts"
import * as own from "./own.ts"
import type { Made } from "./Provider.ts"
import { type ProviderConfiguration, wanted } from "./table.ts"

/** What providers do for us: carry messages, prove numbers without one, or know the people who work for merchants. */
export interface Means {
  readonly channels: ReadonlyArray<Channel>
  readonly provers: ReadonlyArray<Prover>
  readonly identityProvider: IdentityProvider | undefined
}

/** What every provider made, and the problems of those that could not. */
const gathered = <A>(all: ReadonlyArray<Made<A>>) =>
  Effect.map(Effect.all(all.map(Effect.result)), (made) => ({
    found: made.flatMap((one) => (Result.isSuccess(one) ? one.success : [])),
    problems: made.flatMap((one) => (Result.isFailure(one) ? one.failure.problems : []))
  }))

/** A channel, and what has to be left out to be without it. */
interface Carrier {
  readonly channel: Channel
  readonly switch: string
}

const carriers = (all: Made<Channel>, switchOf: (name: ChannelName) => string): Made<Carrier> =>
  Effect.map(all, (channels) => channels.map((channel) => ({ channel, switch: switchOf(channel.name) })))

/** Nobody could tell which of two channels of one name takes a message, so neither replaces the other by itself. */
const carriedTwice = (all: ReadonlyArray<Carrier>): ReadonlyArray<string> =>
  [...Map.groupBy(all, ({ channel }) => channel.name)]
    .filter(([, { length }]) => length > 1)
    .map(([name, same]) => {
      const by = same.map((one) => `${one.channel.provider} (${one.switch})`)
      const many = by.length === 2 ? "two" : "several"
      return `${name}: has ${many} channels, ${by.slice(0, -1).join(", ")} and ${by.at(-1)}; leave ${by.length === 2 ? "one of them" : "all but one"} out`
    })

/**
 * The channels and provers of every configured provider. A provider that cannot work stops the start, never a request;
 * the problems of all of them are told together.
 */
export const means = (
  configuration: ProviderConfiguration,
  publicUrl: string,
  oidcConfiguration?: oidc.OidcConfiguration
): Effect.Effect<Means, InvalidConfiguration, Scope.Scope> =>
  Effect.gen(function* () {
    const providers = wanted(configuration)
    const carrying = yield* gathered([
      ...providers.map((provider) => carriers(provider.channels(publicUrl), provider.switch)),
      ...(configuration.own ?? []).map((module) =>
        carriers(own.channels(module), () => `${module.from} ${module.path}`)
      )
    ])
    const proving = yield* gathered(providers.map(({ provers }) => provers))
    const knowing = yield* gathered(oidcConfiguration === undefined ? [] : [oidc.identityProviders(oidcConfiguration)])
    const problems = [...carrying.problems, ...proving.problems, ...knowing.problems, ...carriedTwice(carrying.found)]
    if (problems.length > 0) return yield* new InvalidConfiguration({ problems })
    const channels = carrying.found.map(({ channel }) => channel)
    return { channels, provers: proving.found, identityProvider: knowing.found[0] }
  })
