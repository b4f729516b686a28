import { assert, it } from "@effect/vitest"
import { hasOtherCarrier } from "../../src/auth/verification/fallback.ts"
import { startedWith } from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"

it.each([
  [["one", "two"], [], true],
  [["one", "two"], ["two"], false],
  [["one", "two", "three"], ["two"], true],
  [["one"], [], false]
] as const)(
  "a message that carrier one reports as failed: with carriers %j, after %j, another is left: %s",
  (carriers, avoid, isLeft) => {
    const { verification } = startedWith()
    const delivery = { ...verification.deliveries[0]!, carrier: "one", because: "account" as const, avoid: [...avoid] }
    assert.strictEqual(hasOtherCarrier(verification, delivery, carriers, start), isLeft)
  }
)
