import { Context } from "effect"

/** How many bytes the body of a request may have that nobody says more of. */
export const usualBody = 64 * 1024

/**
 * How many bytes a request's body may have. `BodyMemory` bounds what all bodies hold together.
 */
export const LargestBody = Context.Reference<number>("@countersign/http/LargestBody", {
  defaultValue: () => usualBody
})

/**
 * Whether the answer to a read keeps its place while its body goes out, which it does unless the endpoint says no: see
 * `ListPlaces`. No is for bodies that are not read from storage, and for those without an end.
 */
export const BodyHoldsPlace = Context.Reference<boolean>("@countersign/http/BodyHoldsPlace", {
  defaultValue: () => true
})

/**
 * Among which requests an address's refusals count, and of how many places in the hour they are a multiple; null among those
 * that ask for codes, whose places are a setting.
 */
export const Refusable = Context.Reference<{ readonly name: string; readonly places: number } | null>(
  "@countersign/http/Refusable",
  { defaultValue: () => null }
)
