import { Context, type Effect } from "effect"
import { noRecords, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Launch, Origin } from "./Launch.ts"
import type { Touch } from "./Touch.ts"
import type { Trail, TrailStep } from "./Trail.ts"

/**
 * Which launch a report credits for a touch. `last`: the launch that led to the touch. `first`: the visitor's first
 * launch.
 */
export const AttributionModel = ["last", "first"] as const
export type AttributionModel = (typeof AttributionModel)[number]

/** Stores launches, touches, and the trails that connect the launches of one visitor or one click. */
export class AttributionStore extends Context.Service<
  AttributionStore,
  {
    /**
     * Writes the whole change or nothing. Fails with `Conflict` when a launch or a trail has another version than the
     * change expects, when a trail has another first launch, or when a new launch already exists.
     */
    readonly commit: (change: AttributionStore.Change) => Effect.Effect<void, Conflict | StoreError>
    /** Returns the launches with these ids, in any order. Omits unknown ids. */
    readonly launches: (
      environment: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Launch>, StoreError>
    /** Returns the trails with these keys, in any order. Omits unknown keys. */
    readonly trails: (
      environment: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Trail>, StoreError>
    /** Returns the two earliest launches on a visitor's or a click's trail, by time, then by id. */
    readonly earliest: (
      environment: string,
      of: "visitor" | "click",
      key: string
    ) => Effect.Effect<ReadonlyArray<Launch>, StoreError>
    /** Returns those of the ids that are recorded conversions, in any order. */
    readonly conversions: (
      environment: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /**
     * Returns at most `limit` launches from before an instant, over all environments. Each environment's earliest come
     * first.
     */
    readonly old: (before: Instant, limit: number) => Effect.Effect<ReadonlyArray<Launch>, StoreError>
    /** Deletes at most `limit` touches from before an instant. Returns how many. */
    readonly purge: (before: Instant, limit: number) => Effect.Effect<number, StoreError>
    /**
     * Returns sums by day and origin, ordered by day, source, medium and campaign (texts by code points).
     *
     * A launch counts for its own origin. With the model `last`, a touch counts for its `origin`. With `first`, it
     * counts for the origin of the first launch on its visitor's trail, or for its own `origin` when there is none.
     *
     * A touch with a click uses the first launch on the click's trail, if any: that launch's origin replaces the
     * touch's `origin`, and its visitor, if any, replaces the touch's `visitor`.
     */
    readonly sums: (page: AttributionStore.SumPage) => Effect.Effect<ReadonlyArray<AttributionStore.Sum>, StoreError>
  }
>()("@countersign/core/attribution/AttributionStore") {
  /** Builds a change. Omitted parts are empty. */
  static readonly change = (parts: Partial<AttributionStore.Change>): AttributionStore.Change => ({
    ...noRecords,
    launches: [],
    trails: [],
    touches: [],
    ...parts
  })
}

export declare namespace AttributionStore {
  /**
   * What a change does to a launch. `kept`: stores it with the next version, because it is new or a touch names it.
   * `forgotten`: deletes it because of its age. `erased`: deletes it with every touch that names it.
   */
  export interface LaunchStep {
    readonly launch: Launch
    readonly becomes: "kept" | "forgotten" | "erased"
  }

  export type Change = Outgoing & {
    readonly launches: ReadonlyArray<LaunchStep>
    readonly trails: ReadonlyArray<TrailStep>
    /** New touches. A touch that is already stored stays unchanged. */
    readonly touches: ReadonlyArray<Touch>
  }

  /** The key of a row in a report. Rows are ordered by it. */
  export interface SumKey extends Origin {
    /** The index of the day in `SumPage.days`. */
    readonly day: number
  }

  export interface SumPage {
    readonly environment: string
    readonly model: AttributionModel
    /** The start of each day, earliest first. Nothing before the first day counts. */
    readonly days: ReadonlyArray<Instant>
    /** Nothing at this instant or later counts. */
    readonly until: Instant
    readonly after: SumKey | null
    readonly limit: number
  }

  export interface Sum extends SumKey {
    readonly launches: number
    readonly verifications: number
    readonly conversions: number
    readonly leads: number
    /** The total amount in each currency, ordered by currency. */
    readonly values: ReadonlyArray<{ readonly currency: string; readonly micros: bigint }>
  }
}
