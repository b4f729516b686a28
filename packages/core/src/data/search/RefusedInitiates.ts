import { Clock, Context, Effect, Latch, Layer, Result, Schedule } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as PersonReference from "../../foundation/secret/PersonReference.ts"
import { logStoreError } from "../../foundation/storage/logStoreError.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Path } from "../../auth/verification/Verification.ts"
import { NumberVerifiers } from "../../foundation/delivery/NumberVerifier.ts"
import { Channels, nameable } from "../../foundation/delivery/Channels.ts"
import { checkRefusals, type RefusalsRequest } from "./checkRefusals.ts"
import { Gathering } from "./Gathering.ts"
import type { Refusal } from "./Refusal.ts"
import { RefusalStore } from "./RefusalStore.ts"

/** The readable part of the request. */
export interface RefusedRequest {
  readonly identity?: unknown
  readonly channel?: unknown
}

export interface Refused {
  readonly path: Path
  readonly errorCode: string
  /** The keyword that refusals are counted by. */
  readonly reason: string
  /** Stored or only counted. */
  readonly request: () => RefusedRequest
}

const writtenEvery = "1 second"

/**
 * Refused initiates. A refused request writes nothing itself: this process collects refusals and writes them once a
 * second. A crash loses the last second.
 */
export class RefusedInitiates extends Context.Service<
  RefusedInitiates,
  {
    /** Records a refusal. It never fails and never blocks. */
    readonly note: (caller: Caller, refused: Refused) => Effect.Effect<void>
    /** The stored refusals of a week, newest first. */
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
    Channels | Keyring | NumberVerifiers | RefusalStore | Outbox
  > = Layer.effect(
    RefusedInitiates,
    Effect.gen(function* () {
      // The channel is free text from the caller, so only known names are stored, counted and shown.
      const names = [...nameable(yield* Channels), ...(yield* NumberVerifiers).namesFor("test")]
      const store = yield* RefusalStore
      const keyring = yield* Keyring
      const outbox = yield* Outbox
      const gathering = new Gathering()
      const pending = Latch.makeUnsafe(false)

      const write = Effect.gen(function* () {
        pending.closeUnsafe()
        const gathered = gathering.take(yield* Clock.currentTimeMillis)
        if (gathered === null) return
        yield* outbox.commit({ ...noRecords, ...gathered }, store.commit).pipe(
          Effect.retry({ schedule: Schedule.spaced("1 second"), times: 3 }),
          Effect.catch((error) => logStoreError("Refused initiate requests could not be recorded", error))
        )
      })

      // No timer runs without refusals.
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
              // A flood of refusals is only counted, and must not pay for references.
              person:
                person === null || !gathering.keeps(path)
                  ? null
                  : PersonReference.of(keyring.current, caller.environment, person.canonical),
              channel: names.find((name) => name === channel) ?? null,
              country: person?.type === "MOBILE" ? Identity.countryOf(person.canonical) : null
            })
          }),
        list: Effect.fnUntraced(function* (caller, request) {
          const { environment } = caller
          const openPerson = (reference: string) => PersonReference.open(keyring, environment, reference)
          const { canonical, ...page } = yield* Effect.fromResult(checkRefusals(request, openPerson))
          const persons = canonical === null ? null : PersonReference.all(keyring, environment, canonical)
          const found = yield* store.list({ ...page, environment, persons, limit: page.limit + 1 })
          const items = found.slice(0, page.limit)
          return { items, nextCursor: found.length > page.limit ? (items.at(-1)?.id ?? null) : null }
        })
      })
    })
  )
}
