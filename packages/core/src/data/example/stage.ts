import { Clock, Effect, Layer } from "effect"
import { Attribution } from "../../engagement/attribution/Attribution.ts"
import { Channels, PlayedChannels } from "../../foundation/delivery/Channels.ts"
import { NumberVerifiers } from "../../foundation/delivery/NumberVerifier.ts"
import { Receipts } from "../../message/sending/Receipts.ts"
import { Senders } from "../../message/sending/Senders.ts"
import { CampaignAnswers } from "../../engagement/lead/CampaignAnswers.ts"
import { ErasedWriters } from "../../engagement/lead/ErasedWriters.ts"
import * as Inbox from "../../engagement/lead/Inbox.ts"
import { Leads } from "../../engagement/lead/Leads.ts"
import * as Replies from "../../engagement/lead/Replies.ts"
import { Limits } from "../../foundation/limit/Limits.ts"
import { RefusedInitiates } from "../search/RefusedInitiates.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { DeliveryRunner } from "../../message/sending/DeliveryRunner.ts"
import { Subscribers } from "../../foundation/outbox/Subscribers.ts"
import { makeAnnounce } from "../../auth/verification/ExpirySweep.ts"
import * as MessageSender from "../../auth/verification/MessageSender.ts"
import { SdkSessions } from "../../auth/verification/SdkSessions.ts"
import { VerificationCommands } from "../../auth/verification/VerificationCommands.ts"
import { Verifications } from "../../auth/verification/Verifications.ts"
import { Agenda } from "./Agenda.ts"
import { playedChannels } from "./playedChannels.ts"
import { playedJobs } from "./playedJobs.ts"

/** Simulated events go to no webhook endpoint. */
const nobodyListens = Layer.succeed(Subscribers, Subscribers.of({ jobsFor: () => Effect.succeed([]) }))

/**
 * A second instance of the services over the same storage, with its own time, jobs, breakers and limits. It has no real
 * channels or verifiers, so nothing leaves the machine.
 */
const services = (agenda: Agenda) =>
  Layer.mergeAll(
    Verifications.layerNoDeps,
    SdkSessions.layerNoDeps,
    MessageSender.layer,
    Leads.layerNoDeps,
    Replies.layer,
    Attribution.layerNoDeps,
    RefusedInitiates.layerNoDeps
  ).pipe(
    Layer.provide(DeliveryRunner.layer),
    Layer.provideMerge(Receipts.layerNoDeps),
    Layer.provide(Inbox.layer.pipe(Layer.provide([CampaignAnswers.layerNone, ErasedWriters.layerNone]))),
    Layer.provideMerge(VerificationCommands.layer),
    Layer.provide(Layer.mergeAll(Limits.layer, Senders.layer)),
    Layer.provideMerge(Outbox.layer),
    Layer.provide(nobodyListens),
    Layer.provide(playedJobs(agenda)),
    Layer.provideMerge(Channels.layer([])),
    Layer.provide(NumberVerifiers.layer([]))
  )

/** The setting for one part of an example day. Built for that part, and released with its scope. */
export const buildStage = Effect.fnUntraced(function* (begins: number) {
  const agenda = new Agenda(yield* Clock.Clock, begins)
  const channels = playedChannels(agenda)
  const layer = services(agenda).pipe(Layer.provide(Layer.succeed(PlayedChannels, channels.sandbox)))
  // The process's layers have the same values, so these are fresh ones that belong to the example day. Services keep the
  // clock that they were built with.
  const building = Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), yield* Effect.scope)
  const built = yield* Effect.provideService(building, Clock.Clock, agenda.clock)
  return yield* Effect.provide(
    Effect.gen(function* () {
      const receipts = yield* Receipts
      channels.reportTo(receipts.record)
      return {
        agenda,
        channels,
        announce: yield* makeAnnounce,
        attribution: yield* Attribution,
        leads: yield* Leads,
        outbox: yield* Outbox,
        refused: yield* RefusedInitiates,
        sessions: yield* SdkSessions,
        verifications: yield* Verifications
      }
    }),
    built
  )
})

export type Stage = Effect.Success<ReturnType<typeof buildStage>>
