import { Effect, Redacted, Result } from "effect"

const advice =
  "Run `npm ls effect` (or `pnpm why effect`) and see to it that everything gets the same one: ask for one version in " +
  "your package.json, then `npm dedupe`; a package that is linked from a folder brings a copy of its own."

/**
 * More than one copy of `effect` is loaded, so that values of one mean nothing to the other: a secret that one of them
 * keeps cannot be read by the other, a service is not found.
 */
export class TwoEffects extends Error {
  override readonly name = "TwoEffects"
  constructor(who: string) {
    super(`Two copies of effect are loaded: ${who} and @countersign/core have one each. ${advice}`)
  }
}

/**
 * Throws `TwoEffects` when a package was given another copy of `effect` than core. Each package calls it where it is
 * entered, with its own name and its own `Effect`.
 */
export const requireSingleEffect = (
  packageName: string,
  itsEffect: { readonly succeed: typeof Effect.succeed }
): void => {
  if (itsEffect.succeed !== Effect.succeed) throw new TwoEffects(packageName)
}

/** The text of a secret that an application made. Throws `TwoEffects` when it made it with another copy of `effect`. */
export const reveal = (secret: Redacted.Redacted): string =>
  Result.getOrThrowWith(
    Result.try(() => Redacted.value(secret)),
    () => new TwoEffects("your application")
  )
