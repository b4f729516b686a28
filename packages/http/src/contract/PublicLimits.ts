import { Context } from "effect"

/** How many bytes a request's body may have. */
export const LargestBody = Context.Reference<number>("@countersign/http/LargestBody", {
  defaultValue: () => 64 * 1024
})

/**
 * Among which requests an address's refusals count, and of how many places in the hour they are a multiple; null among those
 * that ask for codes, whose places are a setting.
 */
export const Refusable = Context.Reference<{ readonly name: string; readonly places: number } | null>(
  "@countersign/http/Refusable",
  { defaultValue: () => null }
)
