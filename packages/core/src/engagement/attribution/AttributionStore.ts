import { Context, type Effect } from "effect"
import { leavesNothing, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Launch, Origin } from "./Launch.ts"
import type { Touch } from "./Touch.ts"
import type { Trail, TrailStep } from "./Trail.ts"

/** Which launch gets the credit: the last one, which led to the touch, or the visitor's first one. */
export const AttributionModel = ["last", "first"] as const
export type AttributionModel = (typeof AttributionModel)[number]

/** Stores launches, their touches, and the trails that connect launches of one visitor. */
export class AttributionStore extends Context.Service<
  AttributionStore,
  {
    /**
     * Writes all of it or nothing. Fails with `Conflict` when a launch or a trail has another version, when a trail has
     * another first launch, or when a new launch already exists.
     */
    readonly commit: (change: AttributionStore.Change) => Effect.Effect<void, Conflict | StoreError>
    /** The launches that exist, in any order. */
    readonly launches: (
      environment: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Launch>, StoreError>
    /** The trails that exist, in any order. */
    readonly trails: (
      environment: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Trail>, StoreError>
    /** The two earliest launches on a visitor's or a click's trail, by time, then by id. */
    readonly earliest: (
      environment: string,
      of: "visitor" | "click",
      key: string
    ) => Effect.Effect<ReadonlyArray<Launch>, StoreError>
    /** The ids of the conversions that exist, in any order. */
    readonly conversions: (
      environment: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Some launches of all environments from before an instant, the earliest of each environment first. */
    readonly old: (before: Instant, limit: number) => Effect.Effect<ReadonlyArray<Launch>, StoreError>
    /** Deletes at most `limit` touches from before an instant. Returns their number. */
    readonly purge: (before: Instant, limit: number) => Effect.Effect<number, StoreError>
    /**
     * Sums by day and origin, ordered by day, source, medium and campaign (texts by code points). A launch counts for
     * its own origin. A touch counts for its launch's origin; with `first` for the origin of the first launch on the
     * visitor's trail, if any. For a touch with a click, the first launch on the click's trail, if any, takes the place
     * of its own launch.
     */
    readonly sums: (page: AttributionStore.SumPage) => Effect.Effect<ReadonlyArray<AttributionStore.Sum>, StoreError>
  }
>()("@countersign/core/attribution/AttributionStore") {
  /** Builds a change from its non-empty parts. */
  static readonly change = (parts: Partial<AttributionStore.Change>): AttributionStore.Change => ({
    ...leavesNothing,
    launches: [],
    trails: [],
    touches: [],
    ...parts
  })
}

export declare namespace AttributionStore {
  /**
   * The next state of a launch. `kept`: its version increases, because a touch names it. `forgotten`: deleted because
   * of its age. `erased`: deleted with every touch that names it.
   */
  export interface LaunchStep {
    readonly launch: Launch
    readonly becomes: "kept" | "forgotten" | "erased"
  }

  export type Change = Outgoing & {
    readonly launches: ReadonlyArray<LaunchStep>
    readonly trails: ReadonlyArray<TrailStep>
    /** New touches. An existing one stays unchanged. */
    readonly touches: ReadonlyArray<Touch>
  }

  /** The position of a row in a report. */
  export interface SumKey extends Origin {
    /** The index of the day, from 0. */
    readonly day: number
  }

  export interface SumPage {
    readonly environment: string
    readonly model: AttributionModel
    /** The start of each day, earliest first. Nothing before the first one counts. */
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
    /** Ordered by currency. */
    readonly values: ReadonlyArray<{ readonly currency: string; readonly micros: bigint }>
  }
}
