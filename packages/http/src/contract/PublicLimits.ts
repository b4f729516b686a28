import { Context } from "effect"

/** The default limit of a request body, in bytes. */
export const usualBody = 64 * 1024

/** The limit of a request body, in bytes. `BodyMemory` limits all bodies together. */
export const LargestBody = Context.Reference<number>("@countersign/http/LargestBody", {
  defaultValue: () => usualBody
})

/**
 * Whether a read keeps its place in `ListPlaces` until its body is sent. False for bodies that do not come from storage
 * and for endless streams.
 */
export const BodyHoldsPlace = Context.Reference<boolean>("@countersign/http/BodyHoldsPlace", {
  defaultValue: () => true
})

/**
 * The counter that an address's refusals go to, and the hourly places that its limit is a multiple of. Null for the
 * counter of code requests, whose places are a setting.
 */
export const Refusable = Context.Reference<{ readonly name: string; readonly places: number } | null>(
  "@countersign/http/Refusable",
  { defaultValue: () => null }
)
