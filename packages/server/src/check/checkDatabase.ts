import { fitsSecret, Keyring } from "@countersign/core"
import { type DatabaseFacts, PgStorage } from "@countersign/postgres"
import { Effect } from "effect"
import type { Configuration } from "../Configuration.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

const what = "database"
/** Expiry keeps to the database's clock, tokens to ours with 30 seconds of grace. */
const mostAhead = 5_000

const tablesOf = (tables: DatabaseFacts["tables"]): Finding | string => {
  const { found, isPrerelease, isRestoring, known, missing, unknown } = tables
  if (isPrerelease)
    return problem(
      "tables",
      "were made by a version of Countersign before 1.0, which this version cannot read or upgrade",
      "name an empty database in DATABASE_URL, or another schema in DATABASE_SCHEMA"
    )
  if (isRestoring)
    return problem("tables", "a restore into them was not finished", "restore again, and start when it is done")
  if (unknown.length > 0)
    return problem(
      "tables",
      found > known
        ? `are at version ${found}, newer than ${known}`
        : `had migration ${unknown.join(", ")}, which this version does not have`,
      "start the version of Countersign that made them, or a newer one"
    )
  if (found === 0) return "no tables yet: the first start makes them"
  if (missing.length === 0) return "the tables are up to date"
  return found < known
    ? `the next start migrates the tables from ${found} to ${known}`
    : `the next start runs ${missing.join(", ")}, which the tables lack`
}

const fits = ({ previousSecrets, secret }: Configuration, known: ReadonlyArray<string>) =>
  secret === undefined
    ? Effect.succeed(true)
    : fitsSecret(known).pipe(
        Effect.provide(Keyring.layer({ secret, previous: previousSecrets })),
        // What is no secret was told of its variable.
        Effect.orElseSucceed(() => true)
      )

const findingsOf = Effect.fnUntraced(function* (configuration: Configuration, facts: DatabaseFacts) {
  const { clockAhead, fingerprints, isStandby, mayCreate, unsafe, version } = facts
  const tables = tablesOf(facts.tables)
  const findings: Array<Finding> = [ok(what, `Postgres ${version}${typeof tables === "string" ? `; ${tables}` : ""}`)]
  if (typeof tables !== "string") findings.push(tables)
  if (isStandby) findings.push(problem(what, "is a standby, which takes no writes", "name the primary in DATABASE_URL"))
  if (!mayCreate)
    findings.push(
      problem(
        "role",
        "may make no tables",
        "grant it create on its schema; partitions are added every day, so a migration by another role is not enough"
      )
    )
  if (unsafe.length > 0)
    findings.push(
      warning(
        "durability",
        `Postgres has ${unsafe.join(" and ")} off: a crash of its machine may lose what was acknowledged`,
        "turn them on"
      )
    )
  if (Math.abs(clockAhead) > mostAhead) {
    const by = `${Math.round(Math.abs(clockAhead) / 1000)} s ${clockAhead > 0 ? "behind" : "ahead of"}`
    findings.push(warning("clock", `of this machine is ${by} the database's`, "keep both in time with NTP"))
  }
  if (!(yield* fits(configuration, fingerprints)))
    findings.push(
      problem(
        "COUNTERSIGN_SECRET",
        "is not the secret that the database was written with",
        "give that one; to change it, give the old one in COUNTERSIGN_SECRET_PREVIOUS"
      )
    )
  return findings
})

/** Whether the configured Postgres would let the service start. Nothing is made and nothing is migrated. */
export const checkDatabase = (configuration: Configuration): Effect.Effect<ReadonlyArray<Finding>> =>
  configuration.databaseUrl === undefined
    ? Effect.succeed([])
    : PgStorage.look({ url: configuration.databaseUrl, schema: configuration.databaseSchema }).pipe(
        Effect.matchEffect({
          onFailure: ({ message }) => Effect.succeed([problem(what, message, "look at DATABASE_URL")]),
          onSuccess: (facts) => findingsOf(configuration, facts)
        })
      )
