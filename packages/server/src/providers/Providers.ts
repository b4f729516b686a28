import type { Channel } from "@countersign/core/channel"
import { Effect, Result, type Scope } from "effect"
import type { ProviderConfiguration } from "../Configuration.ts"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"
import * as own from "./own.ts"
import * as smtp from "./smtp.ts"
import * as twilio from "./twilio.ts"
import * as whatsapp from "./whatsapp.ts"

type Made = Effect.Effect<ReadonlyArray<Channel>, InvalidConfiguration, Scope.Scope>

/** An adapter is loaded only where it is configured: a vendor's library can cost more than all the rest of a start. */
const wanted = <Options>(options: Options | undefined, make: (options: Options) => Made): ReadonlyArray<Made> =>
  options === undefined ? [] : [make(options)]

/** Two of a name can only come from the operator's own: nobody could tell which of them carries a message. */
const carriedTwice = (channels: ReadonlyArray<Channel>): ReadonlyArray<string> =>
  channels
    .filter((channel, i) => channels.findIndex(({ name }) => name === channel.name) !== i)
    .map(({ name }) => `COUNTERSIGN_CHANNELS: ${name} has two channels; leave one of them out`)

/**
 * The channels of every configured provider. A provider that cannot work stops the start, never a request; the problems
 * of all of them are told together.
 */
export const channels = (configuration: ProviderConfiguration, publicUrl: string): Made =>
  Effect.gen(function* () {
    const made = yield* Effect.all(
      [
        ...wanted(configuration.twilio, (options) => twilio.channels(options, publicUrl)),
        ...wanted(configuration.whatsapp, whatsapp.channels),
        ...wanted(configuration.smtp, smtp.channels),
        ...wanted(configuration.own, own.channels)
      ].map(Effect.result)
    )
    const channels = made.flatMap((one) => (Result.isSuccess(one) ? one.success : []))
    const problems = [
      ...made.flatMap((one) => (Result.isFailure(one) ? one.failure.problems : [])),
      ...carriedTwice(channels)
    ]
    if (problems.length > 0) return yield* new InvalidConfiguration({ problems })
    return channels
  })
