import { Clock, Effect, Layer, Redacted } from "effect"
import { type Channel, Channels, type Message } from "../delivery/Channel.ts"
import { ChannelError, OutcomeUnknown } from "../delivery/ChannelError.ts"
import type { Delivery } from "../delivery/Delivery.ts"
import * as SandboxChannel from "../delivery/SandboxChannel.ts"
import * as Identifier from "../identity/Identifier.ts"
import type { LeasedJob } from "../job/Job.ts"
import { type JobOutcome, Jobs } from "../job/Jobs.ts"
import type { EnvironmentKind } from "../merchant/Merchant.ts"
import { Merchants } from "../merchant/Merchants.ts"
import type { Settings } from "../merchant/Settings.ts"
import { Keyring } from "../secret/Keyring.ts"
import { builtIn } from "../template/builtIn.ts"
import { render } from "../template/Template.ts"
import { type Instant, seconds } from "../time/Instant.ts"
import { codeOf } from "./codeOf.ts"
import * as DeliveryReference from "./DeliveryReference.ts"
import { deliver, type DeliveryReport } from "./deliver.ts"
import { untilCommitted } from "./untilCommitted.ts"
import type { Verification } from "./Verification.ts"
import { type Loaded, VerificationStore } from "./VerificationStore.ts"

/** A provider that has not answered by then is taken not to answer. */
const deadline = seconds(10)

const committed: JobOutcome = { _tag: "Committed" }
const completed: JobOutcome = { _tag: "Completed" }

/** Doubling from one second. What would come after the code's end is not tried. */
const backoff = (attempt: number) => seconds(2 ** Math.min(attempt - 1, 6))

const isLoaded = (hint: unknown, id: unknown): hint is Loaded =>
  typeof hint === "object" && hint !== null && "verification" in hint && (hint as Loaded).verification?.id === id

const makeMessage = (verification: Verification, delivery: Delivery, code: string, settings: Settings, now: Instant): Message => {
  const { environment, expiresAt, id, identity } = verification
  const { brand, locale } = settings
  const minutes = Math.max(1, Math.round((expiresAt - now) / 60_000))
  const hints = { appHash: "", domain: "" }
  const { html, subject, text } = render(builtIn(delivery.channel, locale, hints), {
    code,
    brand,
    minutes: String(minutes),
    ...hints
  })
  return {
    deliveryId: delivery.id,
    reference: DeliveryReference.format({ environment, verificationId: id, deliveryId: delivery.id }),
    type: delivery.type,
    to: identity.type === "MOBILE" ? `+${identity.canonical}` : identity.spelling,
    code: Redacted.make(code),
    subject: Redacted.make(subject),
    text: Redacted.make(text),
    html: html === null ? null : Redacted.make(html),
    brand,
    locale,
    validForSeconds: Math.max(1, Math.floor((expiresAt - now) / 1_000)),
    expiresAt,
    options: delivery.options
  }
}

const sendOnce = (channel: Channel, message: Message) =>
  channel.send(message).pipe(
    Effect.timeoutOrElse({
      duration: deadline,
      orElse: () =>
        Effect.fail(new ChannelError({ channel: channel.name, reason: new OutcomeUnknown({ providerCode: "timeout" }) }))
    })
  )

/** Sends the message of a `send` job, and records what became of it. */
export const layer: Layer.Layer<never, never, Jobs | VerificationStore | Channels | Keyring | Merchants> = Layer.effectDiscard(
  Effect.gen(function* () {
    const jobs = yield* Jobs
    const store = yield* VerificationStore
    const channels = yield* Channels
    const keyring = yield* Keyring
    const merchants = yield* Merchants

    const channelOf = (kind: EnvironmentKind, delivery: Delivery) =>
      kind === "test" ? SandboxChannel.find(delivery.channel) : channels.find(delivery.channel)

    /** Commits reports on what is loaded now, and again on what others made of it meanwhile. */
    const record = (job: LeasedJob, hint: Loaded, reports: ReadonlyArray<Omit<DeliveryReport, "deliveryId">>) => {
      let known: Loaded | null = hint
      return untilCommitted(
        Effect.gen(function* () {
          const loaded = known ?? (yield* store.load(job.environment, hint.verification.id))
          known = null
          if (loaded === null) return completed
          const now = yield* Clock.currentTimeMillis
          const decision = deliver(
            loaded,
            reports.map((report) => ({ ...report, deliveryId: String(job.payload["deliveryId"]) })),
            { eventId: Identifier.make("evt", now) },
            job,
            now
          )
          if (decision.change === null) return completed
          yield* store.commit(decision.change)
          return committed
        })
      )
    }

    const failed = (providerCode: string) => [{ status: "FAILED", providerId: null, providerCode }] as const

    const afterError = Effect.fnUntraced(function* (job: LeasedJob, loaded: Loaded, { reason }: ChannelError) {
      if (reason._tag === "Refused") return yield* record(job, loaded, failed(reason.providerCode))
      const now = yield* Clock.currentTimeMillis
      const wish = reason._tag === "Unavailable" ? seconds(reason.retryAfterSeconds ?? 0) : 0
      const runAt = now + Math.max(backoff(job.attempt), wish)
      if (runAt >= loaded.verification.expiresAt) return yield* record(job, loaded, failed(reason.providerCode))
      const outcome: JobOutcome = { _tag: "Retry", runAt, reason: reason.providerCode }
      return outcome
    })

    yield* jobs.handle(
      "send",
      Effect.fnUntraced(function* (job, hint) {
        const id = job.payload["verificationId"]
        const loaded = isLoaded(hint, id) ? hint : yield* store.load(job.environment, String(id))
        const delivery = loaded?.verification.deliveries.find((candidate) => candidate.id === job.payload["deliveryId"])
        if (loaded === null || delivery?.status !== "PENDING") return completed
        const { verification } = loaded
        const now = yield* Clock.currentTimeMillis
        if (verification.status !== "PENDING" || now >= verification.expiresAt) {
          return yield* record(job, loaded, [{ status: "SKIPPED", providerId: null, providerCode: null }])
        }
        const environment = yield* merchants.environment(job.environment)
        const channel = environment === null ? undefined : channelOf(environment.kind, delivery)
        const code = environment === null ? null : codeOf(keyring, environment.kind, verification)
        if (environment === null) return yield* record(job, loaded, failed("merchant_suspended"))
        if (channel === undefined) return yield* record(job, loaded, failed("no_provider"))
        if (code === null) return yield* record(job, loaded, failed("key_retired"))
        return yield* sendOnce(channel, makeMessage(verification, delivery, code, environment.settings, now)).pipe(
          Effect.flatMap(({ delivered, providerId }) =>
            record(job, loaded, [
              { status: "SENT", providerId, providerCode: null },
              ...(delivered === true ? [{ status: "DELIVERED", providerId, providerCode: null } as const] : [])
            ])
          ),
          Effect.catchTag("ChannelError", (error) => afterError(job, loaded, error))
        )
      })
    )
  })
)
