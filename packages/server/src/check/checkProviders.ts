import type { ProviderCheck } from "@countersign/core/channel"
import { Effect, Result } from "effect"
import type { Configuration } from "../Configuration.ts"
import * as carriers from "../providers/carriers.ts"
import * as Providers from "../providers/Providers.ts"
import { type Finding, inTime, ofLine, ok, problem } from "./Finding.ts"

const unasked = "is configured; it cannot be checked without sending a message"

/** Runs one check. Channels of one account share it. */
const asked = (what: string, check: ProviderCheck | undefined): Effect.Effect<ReadonlyArray<Finding>> =>
  check === undefined
    ? Effect.succeed([ok(what, unasked)])
    : inTime(
        what,
        Effect.match(check, {
          onFailure: (failure) => [problem(what, failure.problem, failure.advice)],
          onSuccess: ({ detail }) => [ok(what, detail)]
        })
      )

const askedOf = ({ carriers, identityProvider, verifiers }: Providers.Given) => {
  const channels = carriers.map(({ channel }) => channel)
  // Channels of one account share one check.
  const byCheck = [...Map.groupBy(channels, ({ check, name }) => check ?? name).values()].map((same) => {
    const names = same.map(({ name }) => name).join(", ")
    return asked(`${names} through ${same[0]!.provider}`, same[0]!.check)
  })
  const others = [
    ...verifiers.map(({ provider }) => asked(provider, undefined)),
    ...(identityProvider === undefined ? [] : [asked(`sign-in at ${identityProvider.name}`, identityProvider.check)])
  ]
  return Effect.map(Effect.all([...byCheck, ...others], { concurrency: "unbounded" }), (all) => all.flat())
}

/** Builds and checks every configured provider without sending. A provider that cannot be built does not hide others. */
export const checkProviders = ({ oidc, providers, publicUrl }: Configuration): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const made = yield* Effect.forEach(Providers.sources(providers, publicUrl, oidc), Effect.result)
      const given = made.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
      const broken = made.flatMap((one) => (Result.isFailure(one) ? one.failure.problems : []))
      const tables = providers.carriers ?? {}
      const unclear = carriers.problemsOf(
        given.flatMap((one) => one.carriers),
        tables
      )
      const findings = yield* Effect.forEach(given, askedOf, { concurrency: "unbounded" })
      if (made.length === 0) return [ok("providers", "none configured")]
      return [
        ...findings.flat(),
        ...carriers.tableLines(tables).map((line) => ok("carriers", line)),
        ...[...broken, ...unclear].map((line) => ofLine("problem", line))
      ]
    })
  )
