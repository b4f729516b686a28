import { Effect, Redacted, Result } from "effect"

const advice =
  "Run `npm ls effect` (or `pnpm why effect`) and make all packages use the same copy: request one version in " +
  "your package.json, then run `npm dedupe`. A package that is linked from a folder brings its own copy."

/**
 * The process loaded more than one copy of `effect`. Values of one copy are useless to the other: it cannot read its
 * `Redacted` values or find its services.
 */
export class TwoEffects extends Error {
  override readonly name = "TwoEffects"
  constructor(who: string) {
    super(`Two copies of effect are loaded: ${who} and @countersign/core use different copies. ${advice}`)
  }
}

/**
 * Throws `TwoEffects` when a package got another copy of `effect` than core. Every package calls it in its entry point,
 * with its name and its own `Effect`.
 */
export const requireSingleEffect = (
  packageName: string,
  itsEffect: { readonly succeed: typeof Effect.succeed }
): void => {
  if (itsEffect.succeed !== Effect.succeed) throw new TwoEffects(packageName)
}

/** Reads a secret that the application created. Throws `TwoEffects` when another copy of `effect` created it. */
export const reveal = (secret: Redacted.Redacted): string =>
  Result.getOrThrowWith(
    Result.try(() => Redacted.value(secret)),
    () => new TwoEffects("your application")
  )
