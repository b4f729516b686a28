import { PgStorage } from "@countersign/postgres"
import { Console, Effect } from "effect"
import * as Configuration from "./Configuration.ts"
import { Environment } from "./Environment.ts"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"

/** `countersign migrate`: migrates the tables and prints what it did. */
export const migrate = Effect.gen(function* () {
  const { databaseSchema, databaseUrl } = yield* Configuration.read(yield* Environment, "command")
  if (databaseUrl === undefined) {
    return yield* new InvalidConfiguration({
      problems: ["DATABASE_URL: is required; the embedded database migrates itself when the service starts"]
    })
  }
  const done = yield* PgStorage.migrate({ url: databaseUrl, schema: databaseSchema })
  yield* Console.log(done.length === 0 ? "The tables are already up to date" : `Migrated: ${done.join(", ")}`)
})
