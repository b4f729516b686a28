import { assert, describe, it } from "vitest"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { run, serve } from "./fixture/ServerProcess.ts"
import { secret } from "./fixture/Service.ts"

describe("the master secret and its database", () => {
  it("stop a start with an unknown secret, and allow a rolling rotation", async () => {
    const database = await FreshDatabase.make()
    const [old, next] = [secret(), secret()]
    const withSecret = (current: string, previous = "") => ({
      DATABASE_URL: database.url,
      COUNTERSIGN_SECRET: current,
      COUNTERSIGN_SECRET_PREVIOUS: previous
    })
    const first = await serve(withSecret(old))
    const refused = await run(["serve"], { ...withSecret(next, secret()), PORT: "0" })
    assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
    assert.match(
      refused.stderr,
      /^COUNTERSIGN_SECRET: the database of DATABASE_URL was written with another secret\..*\n$/
    )
    assert.include(refused.stderr, "COUNTERSIGN_SECRET_PREVIOUS")
    assert.notInclude(refused.stderr, next)
    const second = await serve(withSecret(next, old))
    const late = await serve(withSecret(old, next))
    await Promise.all([first, second, late].map((server) => server.kill("SIGTERM")))
    const rotated = await serve(withSecret(next))
    await rotated.kill("SIGTERM")

    // A database from before fingerprints were stored.
    await database.query("delete from secret_fingerprint")
    const again = await serve(withSecret(old))
    await again.kill("SIGTERM")
    assert.lengthOf(await database.query("select fingerprint from secret_fingerprint"), 1)
    await database.drop()
  }, 300_000)
})
