import { carrierOf, type ProviderCheck } from "@countersign/core/channel"
import { Effect, Result } from "effect"
import type { Configuration } from "../Configuration.ts"
import * as carriers from "../providers/carriers.ts"
import * as lines from "../providers/lineInfo.ts"
import * as Providers from "../providers/Providers.ts"
import { type Finding, inTime, ofLine, ok, problem } from "./Finding.ts"

const unasked = "is configured; it cannot be checked without sending a message"

/** Runs one check. Channels of one account share it. */
const runCheck = (subject: string, check: ProviderCheck | undefined): Effect.Effect<ReadonlyArray<Finding>> =>
  check === undefined
    ? Effect.succeed([ok(subject, unasked)])
    : inTime(
        subject,
        Effect.match(check, {
          onFailure: (failure) => [problem(subject, failure.problem, failure.advice)],
          onSuccess: ({ detail }) => [ok(subject, detail)]
        })
      )

const checksOf = ({ carriers, identityProvider, lineInfo = [], verifiers }: Providers.Given) => {
  const channels = carriers.map(({ channel }) => channel)
  // Channels of one account share one check.
  const byCheck = [...Map.groupBy(channels, ({ check, name }) => check ?? name).values()].map((same) => {
    const names = same.map(({ name }) => name).join(", ")
    return runCheck(`${names} through ${same[0]!.provider}`, same[0]!.check)
  })
  const ownChecks = [
    ...verifiers.map(({ check, provider }) => runCheck(provider, check)),
    ...lineInfo.map((provider) => runCheck(`line facts through ${carrierOf(provider)}`, provider.check)),
    ...(identityProvider === undefined ? [] : [runCheck(`sign-in at ${identityProvider.name}`, identityProvider.check)])
  ]
  return Effect.map(Effect.all([...byCheck, ...ownChecks], { concurrency: "unbounded" }), (findings) => findings.flat())
}

/** Builds and checks every configured provider without sending. A provider that cannot be built does not hide others. */
export const checkProviders = ({ oidc, providers, publicUrl }: Configuration): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.scoped(
    Effect.gen(function* () {
      const results = yield* Effect.forEach(Providers.sources(providers, publicUrl, oidc), Effect.result)
      const built = results.flatMap((result) => (Result.isSuccess(result) ? [result.success] : []))
      const broken = results.flatMap((result) => (Result.isFailure(result) ? result.failure.problems : []))
      const tables = providers.carriers ?? {}
      const unclear = carriers.problemsOf(
        built.flatMap((provider) => provider.carriers),
        tables
      )
      const lineInfo = built.flatMap((provider) => provider.lineInfo ?? [])
      const unclearLines = broken.length > 0 ? [] : lines.problemsOf(lineInfo, providers.lines ?? lines.none)
      const findings = yield* Effect.forEach(built, checksOf, { concurrency: "unbounded" })
      if (results.length === 0) return [ok("providers", "none configured")]
      return [
        ...findings.flat(),
        ...carriers.tableLines(tables).map((line) => ok("carriers", line)),
        ...[...broken, ...unclear, ...unclearLines].map((line) => ofLine("problem", line))
      ]
    })
  )
