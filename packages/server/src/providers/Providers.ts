import type { CarrierOptions, Channel, ChannelName, LineInfo, NumberVerifier } from "@countersign/core/channel"
import type { IdentityProvider } from "@countersign/core/person"
import { Effect, Result, type Scope } from "effect"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"
import { problemsOf } from "./carriers.ts"
import * as lines from "./lineInfo.ts"
import * as oidc from "./oidc.ts"
import * as own from "./own.ts"
import type { Made } from "./Provider.ts"
import { type ProviderConfiguration, wanted } from "./table.ts"

/** Everything that the configured providers offer: channels, number verifiers and an identity provider. */
export interface Means {
  readonly channels: ReadonlyArray<Channel>
  readonly carriers: CarrierOptions
  readonly verifiers: ReadonlyArray<NumberVerifier>
  readonly lineInfo: ReadonlyArray<LineInfo>
  readonly identityProvider: IdentityProvider | undefined
}

/** A channel, and the variable that enables it. */
export interface Carrier {
  readonly channel: Channel
  readonly switch: string
}

/** Everything that one provider offers. */
export interface Given {
  readonly carriers: ReadonlyArray<Carrier>
  readonly verifiers: ReadonlyArray<NumberVerifier>
  readonly lineInfo?: ReadonlyArray<LineInfo>
  readonly identityProvider?: IdentityProvider | undefined
}

/** Builds one configured provider. Fails with all of its problems. */
export type Source = Effect.Effect<Given, InvalidConfiguration, Scope.Scope>

const carriers = (all: Made<Channel>, switchOf: (name: ChannelName) => string) =>
  Effect.map(all, (channels) => channels.map((channel) => ({ channel, switch: switchOf(channel.name) })))

/** All configured providers. Each is built independently of the others. */
export const sources = (
  configuration: ProviderConfiguration,
  publicUrl: string,
  oidcConfiguration?: oidc.OidcConfiguration
): ReadonlyArray<Source> => [
  ...wanted(configuration).map((provider) =>
    Effect.all({
      carriers: carriers(provider.channels(publicUrl), provider.switch),
      verifiers: provider.verifiers,
      lineInfo: provider.lineInfo
    })
  ),
  ...(configuration.own ?? []).map((module) =>
    Effect.map(
      carriers(own.channels(module), () => `${module.from} ${module.path}`),
      (found) => ({ carriers: found, verifiers: [] })
    )
  ),
  ...(oidcConfiguration === undefined
    ? []
    : [
        Effect.map(oidc.identityProviders(oidcConfiguration), ([identityProvider]) => ({
          carriers: [],
          verifiers: [],
          identityProvider
        }))
      ])
]

/**
 * Builds every configured provider. An invalid provider fails the start, never a request. The error lists the problems
 * of all providers.
 */
export const means = (
  configuration: ProviderConfiguration,
  publicUrl: string,
  oidcConfiguration?: oidc.OidcConfiguration
): Effect.Effect<Means, InvalidConfiguration, Scope.Scope> =>
  Effect.gen(function* () {
    const results = yield* Effect.all(sources(configuration, publicUrl, oidcConfiguration).map(Effect.result))
    const built = results.flatMap((result) => (Result.isSuccess(result) ? [result.success] : []))
    const carrying = built.flatMap((provider) => provider.carriers)
    const problems = results.flatMap((result) => (Result.isFailure(result) ? result.failure.problems : []))
    const tables = configuration.carriers ?? {}
    const lineInfo = built.flatMap((provider) => provider.lineInfo ?? [])
    problems.push(...problemsOf(carrying, tables))
    // A provider that could not be built is missing here, which its own problem says already.
    if (results.every(Result.isSuccess)) {
      problems.push(...lines.problemsOf(lineInfo, configuration.lines ?? lines.none))
    }
    if (problems.length > 0) return yield* new InvalidConfiguration({ problems })
    return {
      channels: carrying.map(({ channel }) => channel),
      carriers: { tables },
      verifiers: built.flatMap((provider) => provider.verifiers),
      lineInfo,
      identityProvider: built.find((provider) => provider.identityProvider !== undefined)?.identityProvider
    }
  })
