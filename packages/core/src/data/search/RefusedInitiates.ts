import { Clock, Context, Effect, Latch, Layer, Result, Schedule } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { leavesNothing } from "../../foundation/outbox/Change.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Path } from "../../auth/verification/Verification.ts"
import { NumberVerifiers } from "../../foundation/delivery/NumberVerifier.ts"
import { Channels, nameable } from "../../foundation/delivery/Channels.ts"
import { checkRefusals, type RefusalsRequest } from "./checkRefusals.ts"
import { Gathering } from "./Gathering.ts"
import type { Refusal } from "./Refusal.ts"
import { RefusalStore } from "./RefusalStore.ts"

/** What was asked for, as far as it could be read. */
export interface RefusedRequest {
  readonly identity?: unknown
  readonly channel?: unknown
}

export interface Refused {
  readonly path: Path
  readonly errorCode: string
  /** A word of ours, by which refusals are counted. */
  readonly reason: string
  /** Read where it is kept, or counted apart. */
  readonly request: () => RefusedRequest
}

const writtenEvery = "1 second"

/**
 * Initiates that were refused. A refused request writes nothing itself: what was refused is gathered in this process, and
 * written once a second. A process that dies loses the last second of it.
 */
export class RefusedInitiates extends Context.Service<
  RefusedInitiates,
  {
    /** Remembers a refusal. It never fails and waits for nothing. */
    readonly note: (caller: Caller, refused: Refused) => Effect.Effect<void>
    /** Those that were kept, the newest first: a week of them. */
    readonly list: (
      caller: Caller,
      request: RefusalsRequest
    ) => Effect.Effect<
      { readonly items: ReadonlyArray<Refusal>; readonly nextCursor: string | null },
      InvalidField | StoreError
    >
  }
>()("@countersign/core/search/RefusedInitiates") {
  static readonly layerNoDeps: Layer.Layer<
    RefusedInitiates,
    never,
    Channels | NumberVerifiers | RefusalStore | Outbox
  > = Layer.effect(
    RefusedInitiates,
    Effect.gen(function* () {
      // A stranger wrote the channel: only a name that means something here is kept, counted and shown.
      const names = [...nameable(yield* Channels), ...(yield* NumberVerifiers).namesFor("test")]
      const store = yield* RefusalStore
      const outbox = yield* Outbox
      const gathering = new Gathering()
      const pending = Latch.makeUnsafe(false)

      const write = Effect.gen(function* () {
        pending.closeUnsafe()
        const gathered = gathering.take(yield* Clock.currentTimeMillis)
        if (gathered === null) return
        yield* outbox.commit({ ...leavesNothing, ...gathered }, store.commit).pipe(
          Effect.retry({ schedule: Schedule.spaced("1 second"), times: 3 }),
          Effect.catch((error) => logStoreError("Refused initiates could not be written down", error))
        )
      })

      // Nothing wakes where nothing is refused.
      yield* Effect.andThen(pending.await, Effect.delay(write, writtenEvery)).pipe(Effect.forever, Effect.forkScoped)
      yield* Effect.addFinalizer(() => write)

      const personOf = (given: unknown, defaultCountry: string | null) =>
        typeof given === "string"
          ? Result.getOrElse(Identity.parse(Identity.typeOf(given), given, defaultCountry), () => null)
          : null

      return RefusedInitiates.of({
        note: (caller, { errorCode, path, reason, request }) =>
          Effect.map(Clock.currentTimeMillis, (at) => {
            const { channel, identity } = request()
            pending.openUnsafe()
            const person = personOf(identity, caller.settings.defaultCountry)
            gathering.add({
              environment: caller.environment,
              id: Identifier.make("rfs", at),
              at,
              path,
              errorCode,
              reason,
              identity: person === null ? null : Identity.mask(person.type, person.canonical),
              channel: names.find((name) => name === channel) ?? null,
              country: person?.type === "MOBILE" ? Identity.countryOf(person.canonical) : null
            })
          }),
        list: Effect.fnUntraced(function* (caller, request) {
          const page = yield* Effect.fromResult(checkRefusals(request))
          const found = yield* store.list({ ...page, environment: caller.environment, limit: page.limit + 1 })
          const items = found.slice(0, page.limit)
          return { items, nextCursor: found.length > page.limit ? (items.at(-1)?.id ?? null) : null }
        })
      })
    })
  )
}
