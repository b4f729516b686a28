import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { logStoreError } from "../../src/foundation/storage/logStoreError.ts"
import { StoreError } from "../../src/foundation/storage/StoreError.ts"

describe("the log line of a storage failure", () => {
  it.effect("has the Postgres error code, and nothing that the cause quotes", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(JSON.stringify(message)))])
      for (const cause of [{ sqlState: "42703", detail: "+919876543210" }, new Error("+919876543210"), null]) {
        const error = new StoreError({ operation: "VerificationStore.commit", cause })
        yield* logStoreError("A request could not be served", error).pipe(Effect.provide(logger))
      }
      const [first, ...others] = lines
      assert.include(first!, `"operation":"VerificationStore.commit","sqlState":"42703"`)
      for (const line of others) assert.include(line, `{"operation":"VerificationStore.commit"}`)
      assert.notInclude(lines.join(), "98765")
    })
  )
})
