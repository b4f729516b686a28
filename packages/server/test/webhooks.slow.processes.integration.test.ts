import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "./fixture/Client.ts"
import { forAll } from "./fixture/Load.ts"
import { Receiver } from "./fixture/Receiver.ts"
import { cluster, postgres, type Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

/** More than one endpoint may hold. */
const people = 60
const atOnce = 4

describe("a receiver that takes webhooks and never answers", () => {
  let service: Service
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await Receiver.start()
    service = await postgres()
  })
  afterAll(async () => {
    receiver?.letGo()
    await service?.close()
    await receiver?.close()
  })

  it("does not keep three others from theirs", async () => {
    const client = await service.client()
    const slow = receiver.endpoint(() => "hang")
    const { id } = await client.webhook({ url: slow })
    const beside = Array.from({ length: 3 }, () => receiver.endpoint())
    for (const url of beside) await client.webhook({ url })
    await forAll(Array(people).keys(), atOnce, async () => void (await client.started()))
    for (const url of beside) await receiver.sent(url, people)

    // Nothing is measured against a clock: all others are done, and the first webhook is still without an answer.
    assert.deepStrictEqual((await client.webhooks(`/${id}/deliveries`)).body.items, [])
    const held = receiver.at(slow).length
    assert.isAtLeast(held, 1)
    assert.isAtMost(held, 32)
    for (const url of beside) assert.lengthOf(receiver.at(url), people)

    // What waits for it is not lost.
    receiver.letGo()
    const { body } = await until(
      () => client.webhooks(`/${id}/deliveries?status=FAILED&limit=200`),
      ({ body }) => body.items.length >= held,
      { what: "the log of those that were let go" }
    )
    for (const entry of body.items) assert.match(entry.nextAttemptAt, /Z$/)
  })
})

describe("a merchant whose eight endpoints take webhooks and stop answering", () => {
  const endpoints = 8
  /** A lane is 8 wide at first, and 32 at last, in each of two processes. */
  const answered = 90
  let service: Service
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await Receiver.start()
    service = await cluster()
  })
  afterAll(async () => {
    receiver?.letGo()
    await service?.close()
    await receiver?.close()
  })

  const login = (client: Client, count: number) =>
    forAll(Array(count).keys(), atOnce, async () => void (await client.started()))

  it("holds at most half of the places of both processes, and another merchant's webhooks come at once", async () => {
    const slow = await service.client()
    const quick = await service.client()
    // What is answered widens each endpoint's lane, as far as a lane can be.
    const urls = Array.from({ length: endpoints }, () =>
      receiver.endpoint((nth) => (nth <= answered ? { status: 204 } : "hang"))
    )
    const ids: Array<string> = []
    for (const url of urls) ids.push((await slow.webhook({ url })).id)
    const healthy = receiver.endpoint()
    await quick.webhook({ url: healthy })
    await login(slow, answered)
    for (const url of urls) await receiver.sent(url, answered)
    await login(slow, 45)
    const held = () => urls.reduce((sum, url) => sum + receiver.at(url).length - answered, 0)
    await login(quick, 20)
    await receiver.sent(healthy, 20)

    // All others are done, and none of those that hang has ended: nobody waited for them.
    await until(
      async () => held(),
      (count) => count > 128,
      { what: "more places than one process gives" }
    )
    assert.isAtMost(held(), 256)
    for (const id of ids) {
      assert.deepStrictEqual((await slow.webhooks(`/${id}/deliveries?status=FAILED`)).body.items, [])
    }
  })
})
