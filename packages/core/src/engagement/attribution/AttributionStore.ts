import { Context, type Effect } from "effect"
import { leavesNothing, type Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Launch, Origin } from "./Launch.ts"
import type { Touch } from "./Touch.ts"
import type { Trail, TrailStep } from "./Trail.ts"

/** Which launch counts: the one that led to something, or the first one of the same visitor. */
export const AttributionModel = ["last", "first"] as const
export type AttributionModel = (typeof AttributionModel)[number]

/** Launches, what they led to, and the trails that join launches of one visitor. */
export class AttributionStore extends Context.Service<
  AttributionStore,
  {
    /**
     * Writes all of it or nothing. `Conflict` when a launch is not at the version that the change carries, when a trail
     * is not at the version and with the first launch that it carries, or when something new is there already.
     */
    readonly commit: (change: AttributionStore.Change) => Effect.Effect<void, Conflict | StoreError>
    /** Those of these launches that there are, in any order. */
    readonly launches: (
      environment: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Launch>, StoreError>
    /** Those of these trails that there are, in any order. */
    readonly trails: (
      environment: string,
      keys: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<Trail>, StoreError>
    /** The two earliest launches on the trail of a visitor or of a click, by time and then by id. */
    readonly earliest: (
      environment: string,
      of: "visitor" | "click",
      key: string
    ) => Effect.Effect<ReadonlyArray<Launch>, StoreError>
    /** Which of these conversions there are, in any order. */
    readonly conversions: (
      environment: string,
      ids: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<string>, StoreError>
    /** Launches of all environments from before a moment: some of them, the earliest of an environment first. */
    readonly old: (before: Instant, limit: number) => Effect.Effect<ReadonlyArray<Launch>, StoreError>
    /** Forgets touches from before a moment, at most `limit`; says how many. */
    readonly purge: (before: Instant, limit: number) => Effect.Effect<number, StoreError>
    /**
     * Counts by day and origin, in the order of day, source, medium and campaign, texts by their code points. A launch
     * counts where it came from. A touch counts where its launch came from; for `first` where the first launch on its
     * visitor's trail did, if there is one. The first launch on the trail of its click, if there is one, stands for its own.
     */
    readonly sums: (page: AttributionStore.SumPage) => Effect.Effect<ReadonlyArray<AttributionStore.Sum>, StoreError>
  }
>()("@countersign/core/attribution/AttributionStore") {
  /** A change, from the parts of it that are not empty. */
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
   * What becomes of a launch: it is kept, with its version moved because something names it; it is forgotten for its age
   * alone; or it is erased with every touch that names it.
   */
  export interface LaunchStep {
    readonly launch: Launch
    readonly becomes: "kept" | "forgotten" | "erased"
  }

  export type Change = Outgoing & {
    readonly launches: ReadonlyArray<LaunchStep>
    readonly trails: ReadonlyArray<TrailStep>
    /** New ones. One that is there already stays as it is. */
    readonly touches: ReadonlyArray<Touch>
  }

  /** Where in a report a row stands. */
  export interface SumKey extends Origin {
    /** The number of the day, from 0. */
    readonly day: number
  }

  export interface SumPage {
    readonly environment: string
    readonly model: AttributionModel
    /** When each day begins, the earliest first; nothing before the first of them counts. */
    readonly days: ReadonlyArray<Instant>
    /** Nothing from here on counts. */
    readonly until: Instant
    readonly after: SumKey | null
    readonly limit: number
  }

  export interface Sum extends SumKey {
    readonly launches: number
    readonly verifications: number
    readonly conversions: number
    readonly leads: number
    /** By currency, in its order. */
    readonly values: ReadonlyArray<{ readonly currency: string; readonly micros: bigint }>
  }
}
