import { bytesToHex } from "@noble/hashes/utils.js"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { customerPhone } from "../../foundation/identity/customerPhone.ts"
import { mask } from "../../foundation/identity/Identity.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { seesIdentities } from "../../account/merchant/seesIdentities.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import * as Seal from "../../foundation/secret/Seal.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { isNews, lastOf, onePhone, type Said } from "./decisions.ts"
import { type OptOut, OptOutStore } from "./OptOutStore.ts"

/** This number has not opted out. */
export class UnknownOptOut extends Schema.TaggedError<UnknownOptOut>()("UnknownOptOut", {}) {}

const purpose = "opt-out"
const placePurpose = "opt-out-place"
const mostAtOnce = 200
const usualAtOnce = 50
/** Numbers start with `+`. Hashes sort before them, so the list skips the hashes. */
const beforeAll = "+"

const viewOf = ({ at, by, phone }: Said): OptOuts.View => ({ phone, by, at })
const maskOf = (phone: string) => mask("MOBILE", phone.slice(1))

/**
 * Manages opt-outs from campaigns. A message of the customer, a report of the provider, or a team member opts a number
 * out, and the latest of these counts. An erasure keeps the opt-out under a keyed hash of the number.
 *
 * @example
 * ```ts
 * import { type Caller, OptOuts } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const suppress = Effect.fn(function* (caller: Caller) {
 *   const optOuts = yield* OptOuts
 *   return yield* optOuts.add(caller, "+91 98765 43210")
 * })
 * ```
 */
export class OptOuts extends Context.Service<
  OptOuts,
  {
    /** Ordered by number. */
    readonly list: (
      caller: Caller,
      page: { readonly cursor?: string | null | undefined; readonly limit?: number | null | undefined }
    ) => Effect.Effect<
      { readonly items: ReadonlyArray<OptOuts.View>; readonly nextCursor: string | null },
      InvalidField | StoreError
    >
    /** Opts a number out. Returns the existing opt-out if there is one. */
    readonly add: (caller: Caller, phone: string) => Effect.Effect<OptOuts.View, InvalidField | StoreError>
    readonly remove: (caller: Caller, phone: string) => Effect.Effect<void, InvalidField | UnknownOptOut | StoreError>
    /** The numbers (E.164 with `+`) among these that have opted out. */
    readonly among: (
      environment: string,
      phones: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlySet<string>, StoreError>
    /** Records opt-outs and opt-ins of customers and providers. Late and repeated ones are safe. */
    readonly heard: (environment: string, changes: ReadonlyArray<Said>) => Effect.Effect<void, StoreError>
    /** The stored state of a number. */
    readonly of: (environment: string, phone: string) => Effect.Effect<OptOut | null, StoreError>
    /** Erases a number. An opt-out stays under a keyed hash, which only the holder of both number and key can find. */
    readonly forget: (environment: string, phone: string) => Effect.Effect<void, StoreError>
  }
>()("@countersign/core/optOut/OptOuts") {
  static readonly layerNoDeps: Layer.Layer<OptOuts, never, Keyring | OptOutStore | Outbox> = Layer.effect(
    OptOuts,
    Effect.gen(function* () {
      const keyring = yield* Keyring
      const store = yield* OptOutStore
      const outbox = yield* Outbox
      const commit = (change: OptOutStore.Change) => outbox.commit(change, store.commit)

      const hashOf = (key: Keyring["Service"]["current"], environment: string, phone: string) =>
        `#${bytesToHex(key.mac(purpose, `${environment}\n${phone}`))}`
      const namesOf = (environment: string, phone: string) => [
        phone,
        ...keyring.all.map((key) => hashOf(key, environment, phone))
      ]

      const storedStates = (environment: string, phone: string) => store.known(environment, namesOf(environment, phone))

      /** Writes the new state and deletes the person's other rows, which are stored under hashes of their number. */
      const put = (environment: string, change: Said, stored: ReadonlyArray<OptOut>, extra = {}) =>
        commit(
          OptOutStore.change(environment, {
            optOut: { environment, ...change },
            gone: stored.filter(({ phone }) => phone !== change.phone).map(({ phone }) => ({ phone, at: change.at })),
            ...extra
          })
        )

      const phoneOf = (caller: Caller, phone: string) =>
        Effect.fromResult(customerPhone(phone, caller.settings.defaultCountry)).pipe(
          Effect.map((digits) => onePhone(`+${digits}`))
        )

      const audited = (caller: Caller, action: "opt_out.added" | "opt_out.removed", phone: string, now: number) => ({
        audited: [auditEntry(caller, { action, target: { kind: "opt_out", id: maskOf(phone) } }, now)]
      })

      const viewFor = (caller: Caller) => (optOut: Said) =>
        seesIdentities(caller, "CONVERSATIONS") ? viewOf(optOut) : { ...viewOf(optOut), phone: maskOf(optOut.phone) }

      /** The cursor is sealed because it contains a phone number, and it is valid only for its environment. */
      const cursorOf = (environment: string, phone: string) =>
        Effect.map(Seal.seal(keyring, placePurpose, `${environment}\n${phone}`), (text) =>
          text.replaceAll("+", "-").replaceAll("/", "_")
        )
      const placeOf = (environment: string, cursor: string | null | undefined) =>
        cursor == null
          ? Effect.succeed(beforeAll)
          : Seal.open(keyring, placePurpose, cursor.replaceAll("-", "+").replaceAll("_", "/")).pipe(
              Effect.map((text) => text.split("\n")),
              Effect.filterOrFail(([of]) => of === environment),
              Effect.map(([, phone]) => phone ?? beforeAll),
              Effect.mapError(() => invalidField("cursor", Problem.of("CURSOR")))
            )

      return OptOuts.of({
        list: Effect.fnUntraced(function* (caller, { cursor, limit }) {
          const size = limit ?? usualAtOnce
          if (!Number.isInteger(size) || size < 1 || size > mostAtOnce) {
            return yield* invalidField("limit", Problem.of("BETWEEN", { min: 1, max: mostAtOnce }))
          }
          const rows = yield* store.list(caller.environment, {
            after: yield* placeOf(caller.environment, cursor),
            limit: size + 1
          })
          const items = rows.slice(0, size)
          const last = items.at(-1)
          return {
            items: items.map(viewFor(caller)),
            nextCursor:
              rows.length > size && last !== undefined ? yield* cursorOf(caller.environment, last.phone) : null
          }
        }),
        add: Effect.fnUntraced(function* (caller, rawPhone) {
          const { environment } = caller
          const phone = yield* phoneOf(caller, rawPhone)
          const stored = yield* storedStates(environment, phone)
          const last = lastOf(stored)
          if (last?.isOut === true && last.phone === phone) return viewOf(last)
          const now = yield* Clock.currentTimeMillis
          // A customer's or another process's clock may be ahead. The caller decides last, so this time must be the latest.
          const optOut: Said = { phone, isOut: true, by: "PERSON", at: Math.max(now, last?.at ?? now) }
          yield* put(environment, optOut, stored, audited(caller, "opt_out.added", phone, now))
          return viewOf(optOut)
        }),
        remove: Effect.fnUntraced(function* (caller, rawPhone) {
          const { environment } = caller
          const phone = yield* phoneOf(caller, rawPhone)
          const stored = yield* storedStates(environment, phone)
          const last = lastOf(stored)
          if (last === null || !last.isOut) return yield* new UnknownOptOut()
          const now = yield* Clock.currentTimeMillis
          const optIn: Said = { phone, isOut: false, by: "PERSON", at: Math.max(now, last.at + 1) }
          yield* put(environment, optIn, stored, audited(caller, "opt_out.removed", phone, now))
        }),
        among: Effect.fnUntraced(function* (environment, phones) {
          const names = new Map<string, string>()
          for (const phone of phones) for (const name of namesOf(environment, onePhone(phone))) names.set(name, phone)
          const byPhone = Map.groupBy(yield* store.known(environment, [...names.keys()]), ({ phone }) =>
            onePhone(names.get(phone)!)
          )
          return new Set(phones.filter((phone) => lastOf(byPhone.get(onePhone(phone)) ?? [])?.isOut === true))
        }),
        heard: Effect.fnUntraced(function* (environment, changes) {
          for (const change of changes) {
            const phone = onePhone(change.phone)
            const stored = yield* storedStates(environment, phone)
            if (isNews(stored, change)) yield* put(environment, { ...change, phone }, stored)
          }
        }),
        of: (environment, phone) => Effect.map(storedStates(environment, onePhone(phone)), lastOf),
        forget: Effect.fnUntraced(function* (environment, rawPhone) {
          const phone = onePhone(rawPhone)
          const [existing] = yield* store.known(environment, [phone])
          if (existing === undefined) return
          const optOut = existing.isOut ? { ...existing, phone: hashOf(keyring.current, environment, phone) } : null
          yield* commit(OptOutStore.change(environment, { optOut, gone: [existing] }))
        })
      })
    })
  )
}

export declare namespace OptOuts {
  /** An opt-out, masked as the caller's role requires. */
  export type View = Pick<OptOut, "at" | "by" | "phone">
}
