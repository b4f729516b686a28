import type { Channel, Prover } from "@countersign/core/channel"
import type { IdentityProvider } from "@countersign/core/person"
import { Effect, Result, type Scope } from "effect"
import type { ProviderConfiguration } from "../Configuration.ts"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"
import * as oidc from "./oidc.ts"
import * as own from "./own.ts"
import * as smtp from "./smtp.ts"
import * as truecaller from "./truecaller.ts"
import * as twilio from "./twilio.ts"
import * as whatsapp from "./whatsapp.ts"

/** What providers do for us: carry messages, prove numbers without one, or know the people who work for merchants. */
export interface Means {
  readonly channels: ReadonlyArray<Channel>
  readonly provers: ReadonlyArray<Prover>
  readonly identityProvider: IdentityProvider | undefined
}

type Made<A> = Effect.Effect<ReadonlyArray<A>, InvalidConfiguration, Scope.Scope>

/** An adapter is loaded only where it is configured: a vendor's library can cost more than all the rest of a start. */
const wanted = <Options, A>(
  options: Options | undefined,
  make: (options: Options) => Made<A>
): ReadonlyArray<Made<A>> => (options === undefined ? [] : [make(options)])

/** What every provider made, and the problems of those that could not. */
const gathered = <A>(all: ReadonlyArray<Made<A>>) =>
  Effect.map(Effect.all(all.map(Effect.result)), (made) => ({
    found: made.flatMap((one) => (Result.isSuccess(one) ? one.success : [])),
    problems: made.flatMap((one) => (Result.isFailure(one) ? one.failure.problems : []))
  }))

/** Two of a name can only come from the operator's own: nobody could tell which of them carries a message. */
const carriedTwice = (channels: ReadonlyArray<Channel>): ReadonlyArray<string> =>
  channels
    .filter((channel, i) => channels.findIndex(({ name }) => name === channel.name) !== i)
    .map(({ name }) => `COUNTERSIGN_CHANNELS: ${name} has two channels; leave one of them out`)

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
    const carrying = yield* gathered([
      ...wanted(configuration.twilio, (options) => twilio.channels(options, publicUrl)),
      ...wanted(configuration.whatsapp, whatsapp.channels),
      ...wanted(configuration.smtp, smtp.channels),
      ...wanted(configuration.own, own.channels)
    ])
    const proving = yield* gathered(wanted(configuration.truecaller, truecaller.provers))
    const knowing = yield* gathered(wanted(oidcConfiguration, oidc.identityProviders))
    const problems = [...carrying.problems, ...proving.problems, ...knowing.problems, ...carriedTwice(carrying.found)]
    if (problems.length > 0) return yield* new InvalidConfiguration({ problems })
    return { channels: carrying.found, provers: proving.found, identityProvider: knowing.found[0] }
  })
