import { Context, Effect, Layer } from "effect"
import { InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../merchant/Caller.ts"
import { settingsChanged, settingsOf } from "../merchant/changeSettings.ts"
import type { EnvironmentKind } from "../merchant/Merchant.ts"
import { UnknownMerchant } from "../merchant/MerchantError.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import type { AuditEntry } from "../../foundation/outbox/AuditEntry.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { fromIso, type Instant } from "../../foundation/time/Instant.ts"
import { AuditStore } from "./AuditStore.ts"

/** Filters for history entries. An entry must match all of them. */
export interface AuditQuery {
  readonly action?: string | undefined
  readonly actor?: string | undefined
  readonly target?: string | undefined
  /** `none` selects entries of the merchant that belong to no environment. */
  readonly environment?: EnvironmentKind | "none" | undefined
  /** A text in the action, or in the name or id of the actor or the target. Its case does not matter. */
  readonly text?: string | undefined
  /** Times in ISO 8601. */
  readonly from?: string | undefined
  readonly to?: string | undefined
}

export interface AuditPage {
  /** The `nextCursor` of the previous page. */
  readonly after: string | null
  readonly limit: number
}

/** How many entries a search for a text reads in a step, and how many steps a page may take. */
const searchedAtOnce = 1_000
const mostSteps = 10
const longestText = 100

/** Whether an entry mentions a text, which must be in lower case. */
export const mentions = ({ action, actor, target }: Pick<AuditEntry, "action" | "actor" | "target">, text: string) =>
  [action, actor.kind, actor.id, actor.label, target.kind, target.id].some(
    (field) => field !== null && field.toLowerCase().includes(text)
  )

type Kinds = ReadonlyMap<string, EnvironmentKind>

const viewOf =
  (kinds: Kinds) =>
  ({ environment, merchantId: _, ...entry }: AuditEntry): Audit.View => ({
    ...entry,
    environment: environment === null ? null : (kinds.get(environment) ?? null)
  })

const instantOf = (
  field: "from" | "to",
  text: string | undefined
): Effect.Effect<Instant | undefined, InvalidField> => {
  if (text === undefined) return Effect.succeed(undefined)
  const instant = fromIso(text)
  return instant === null
    ? Effect.fail(invalidField(field, Problem.of("TIME")))
    : // Ids hold no time before 1970.
      Effect.succeed(Math.max(0, instant))
}

const textOf = (text: string | undefined): Effect.Effect<string | null, InvalidField> => {
  const searched = text?.trim().toLowerCase() ?? ""
  if (searched === "") return Effect.succeed(null)
  return searched.length > longestText
    ? Effect.fail(invalidField("text", Problem.of("TOO_LONG", { max: longestText })))
    : Effect.succeed(searched)
}

/** Leaves the field out when it is undefined. */
const given = <K extends string, A>(name: K, value: A | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: A }

/**
 * The history of a merchant: who did what, kept for a year.
 *
 * @example
 * ```ts
 * import { Audit, type Caller } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const whoRolledKeys = Effect.fn(function* (caller: Caller) {
 *   const audit = yield* Audit
 *   const entries = yield* audit.list(caller, { action: "key.rolled" }, { after: null, limit: 50 })
 *   return entries.map(({ actor, at }) => [actor.label, at])
 * })
 * ```
 */
export class Audit extends Context.Service<
  Audit,
  {
    /**
     * A page of entries, newest first. A search for a text reads at most 10,000 entries, so a page may hold fewer than
     * `limit`, even none, and still have a `nextCursor`. A key sees the entries of its own environment and those without
     * an environment. A signed-in person sees all entries of the merchant.
     */
    readonly page: (
      caller: Caller,
      query: AuditQuery,
      page: AuditPage
    ) => Effect.Effect<Audit.Page, InvalidField | StoreError>
    /** The entries of a page. */
    readonly list: (
      caller: Caller,
      query: AuditQuery,
      page: AuditPage
    ) => Effect.Effect<ReadonlyArray<Audit.View>, InvalidField | StoreError>
    /** The history of the caller's environment settings, latest change first. */
    readonly settings: (caller: Caller, page: AuditPage) => Effect.Effect<ReadonlyArray<Audit.View>, StoreError>
    /** A merchant's history for the operator: changes by the operator, by the merchant's people and by the service. */
    readonly ofMerchant: (
      merchantId: string,
      query: AuditQuery,
      page: AuditPage
    ) => Effect.Effect<Audit.Page, InvalidField | UnknownMerchant | StoreError>
  }
>()("@countersign/core/audit/Audit") {
  static readonly layer: Layer.Layer<Audit, never, AuditStore | MerchantStore> = Layer.effect(
    Audit,
    Effect.gen(function* () {
      const store = yield* AuditStore
      const merchants = yield* MerchantStore

      const kindsOf = Effect.fnUntraced(function* (merchantId: string) {
        const record = yield* merchants.get(merchantId)
        return record === null ? null : new Map(record.environments.map(({ id, kind }) => [id, kind]))
      })

      const list = Effect.fnUntraced(function* (
        merchantId: string,
        kinds: Kinds,
        /** The environments that the caller may see; undefined for all. */
        visibleEnvironments: ReadonlyArray<string | null> | undefined,
        query: AuditQuery,
        page: AuditPage
      ) {
        const { action, actor, environment, target } = query
        const queriedEnvironments =
          environment === undefined
            ? visibleEnvironments
            : environment === "none"
              ? [null]
              : [...kinds].filter(([, kind]) => kind === environment).map(([id]) => id)
        if (queriedEnvironments?.length === 0) {
          const problem = "a key reads only its own environment; use a key of the other environment, or sign in"
          return yield* new InvalidField({ field: "environment", problem })
        }
        const filter: AuditStore.Filter = {
          merchantId,
          ...given("environments", queriedEnvironments),
          ...given("action", action),
          ...given("actor", actor),
          ...given("targetId", target),
          ...given("from", yield* instantOf("from", query.from)),
          ...given("to", yield* instantOf("to", query.to))
        }
        const found = yield* searched(filter, yield* textOf(query.text), page)
        return { items: found.items.map(viewOf(kinds)), nextCursor: found.nextCursor }
      })

      /** A page of the entries that mention a text; of all entries without one. */
      const searched = Effect.fnUntraced(function* (
        filter: AuditStore.Filter,
        text: string | null,
        { after, limit }: AuditPage
      ) {
        const found: Array<AuditEntry> = []
        let reached = after
        const atOnce = text === null ? limit + 1 : searchedAtOnce
        for (let step = 0; step < mostSteps && found.length <= limit; step++) {
          const entries: ReadonlyArray<AuditEntry> = yield* store.list(filter, { after: reached, limit: atOnce })
          found.push(...(text === null ? entries : entries.filter((entry) => mentions(entry, text))))
          reached = entries.length < atOnce ? null : (entries.at(-1)?.id ?? null)
          if (reached === null) break
        }
        const items = found.slice(0, limit)
        return { items, nextCursor: found.length > limit ? (items.at(-1)?.id ?? null) : reached }
      })

      const ofCaller = ({ environment, kind }: Caller): Kinds => new Map([[environment, kind]])

      const ofPerson = Effect.fnUntraced(function* (caller: Caller, query: AuditQuery, page: AuditPage) {
        const { environment, merchantId, person } = caller
        return person === null
          ? yield* list(merchantId, ofCaller(caller), [environment, null], query, page)
          : yield* list(merchantId, (yield* kindsOf(merchantId)) ?? ofCaller(caller), undefined, query, page)
      })

      return Audit.of({
        page: ofPerson,
        list: (caller, query, page) => Effect.map(ofPerson(caller, query, page), ({ items }) => items),
        settings: Effect.fnUntraced(function* (caller, page) {
          const { environment, kind, merchantId } = caller
          const targetId = settingsOf(kind).id
          const filter = { merchantId, environments: [environment], action: settingsChanged, targetId }
          return (yield* store.list(filter, page)).map(viewOf(ofCaller(caller)))
        }),
        ofMerchant: Effect.fnUntraced(function* (id, query, page) {
          const kinds = yield* kindsOf(id)
          if (kinds === null) return yield* new UnknownMerchant({ id })
          return yield* list(id, kinds, undefined, query, page)
        })
      })
    })
  )
}

export declare namespace Audit {
  export interface Page {
    readonly items: ReadonlyArray<View>
    readonly nextCursor: string | null
  }

  /** An entry, with its environment under the name that the merchant knows. */
  export interface View extends Omit<AuditEntry, "environment" | "merchantId"> {
    readonly environment: EnvironmentKind | null
  }
}
