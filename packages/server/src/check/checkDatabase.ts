import { fitsSecret, Keyring } from "@countersign/core"
import { type DatabaseFacts, PgStorage } from "@countersign/postgres"
import { Effect } from "effect"
import type { Configuration } from "../Configuration.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

const what = "database"
/**
 * The largest clock difference without a warning, in milliseconds. Expiry uses the database's clock, but tokens use
 * this machine's clock, with 30 seconds of tolerance.
 */
const maxClockDifference = 5_000

const tablesOf = (tables: DatabaseFacts["tables"]): Finding | string => {
  const { found, isPrerelease, isRestoring, known, missing, unknown } = tables
  if (isPrerelease)
    return problem(
      "tables",
      "were created by a version of Countersign before 1.0, which this version cannot read or upgrade",
      "set DATABASE_URL to an empty database, or DATABASE_SCHEMA to another schema"
    )
  if (isRestoring)
    return problem(
      "tables",
      "contain an unfinished restore",
      "run countersign restore again before you start the service"
    )
  if (unknown.length > 0)
    return problem(
      "tables",
      found > known
        ? `are at version ${found}, newer than this program's ${known}`
        : `have migration ${unknown.join(", ")}, which this version does not know`,
      "run the version of Countersign that created them, or a newer one"
    )
  if (found === 0) return "no tables yet: the first start creates them"
  if (missing.length === 0) return "the tables are up to date"
  return found < known
    ? `the next start migrates the tables from ${found} to ${known}`
    : `the next start runs the missing migrations ${missing.join(", ")}`
}

const fits = ({ previousSecrets, secret }: Configuration, known: ReadonlyArray<string>) =>
  secret === undefined
    ? Effect.succeed(true)
    : fitsSecret(known).pipe(
        Effect.provide(Keyring.layer({ secret, previous: previousSecrets })),
        // The check of the variable reports an invalid secret, so this check does not.
        Effect.orElseSucceed(() => true)
      )

const findingsOf = Effect.fnUntraced(function* (configuration: Configuration, facts: DatabaseFacts) {
  const { clockAhead, fingerprints, isStandby, mayCreate, unsafe, version } = facts
  const tables = tablesOf(facts.tables)
  const findings: Array<Finding> = [ok(what, `Postgres ${version}${typeof tables === "string" ? `; ${tables}` : ""}`)]
  if (typeof tables !== "string") findings.push(tables)
  if (isStandby) findings.push(problem(what, "is a read-only standby", "set DATABASE_URL to the primary"))
  if (!mayCreate)
    findings.push(
      problem(
        "role",
        "may not create tables",
        "grant it CREATE on its schema; the service adds partitions every day, so a migration by another role is not enough"
      )
    )
  if (unsafe.length > 0)
    findings.push(
      warning(
        "durability",
        `Postgres has ${unsafe.join(" and ")} off: a crash may lose acknowledged writes`,
        "turn them on"
      )
    )
  if (Math.abs(clockAhead) > maxClockDifference) {
    const by = `${Math.round(Math.abs(clockAhead) / 1000)} s ${clockAhead > 0 ? "behind" : "ahead of"}`
    findings.push(warning("clock", `of this machine is ${by} the database's`, "synchronize both clocks with NTP"))
  }
  if (!(yield* fits(configuration, fingerprints)))
    findings.push(
      problem(
        "COUNTERSIGN_SECRET",
        "is not the secret that the database was written with",
        "set that one. To rotate secrets, add the old one to COUNTERSIGN_SECRET_PREVIOUS"
      )
    )
  return findings
})

/**
 * Checks whether the server can start with the configured Postgres, and changes nothing in it. Returns no findings
 * without a database URL.
 */
export const checkDatabase = (configuration: Configuration): Effect.Effect<ReadonlyArray<Finding>> =>
  configuration.databaseUrl === undefined
    ? Effect.succeed([])
    : PgStorage.look({ url: configuration.databaseUrl, schema: configuration.databaseSchema }).pipe(
        Effect.matchEffect({
          onFailure: ({ message }) => Effect.succeed([problem(what, message, "check DATABASE_URL")]),
          onSuccess: (facts) => findingsOf(configuration, facts)
        })
      )
