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

/** Nobody's endpoint hears of what never happened. */
const nobodyListens = Layer.succeed(Subscribers, Subscribers.of({ jobsFor: () => Effect.succeed([]) }))

/**
 * The services that people meet, a second time over the same storage: with a time, jobs, breakers and limits of their own.
 * No real channel and no verifier is among them, so whatever is asked of them, nothing leaves the machine.
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

/** Where a part of an example day is played. It is built for that part alone, and gone with its scope. */
export const buildStage = Effect.fnUntraced(function* (begins: number) {
  const agenda = new Agenda(yield* Clock.Clock, begins)
  const channels = playedChannels(agenda)
  const layer = services(agenda).pipe(Layer.provide(Layer.succeed(PlayedChannels, channels.sandbox)))
  // Not the layers of the process, which are the same values: those that are here belong to the play.
  const built = yield* Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), yield* Effect.scope)
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
