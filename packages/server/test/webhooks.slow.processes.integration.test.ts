import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "./fixture/Client.ts"
import { forAll } from "./fixture/Load.ts"
import { Receiver } from "./fixture/Receiver.ts"
import { cluster, postgres, type Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

/** More endpoints than one may occupy. */
const people = 60
const atOnce = 4

describe("a webhook receiver that accepts connections and never answers", () => {
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

  it("does not delay the webhooks of three other endpoints", async () => {
    const client = await service.client()
    const slow = receiver.endpoint(() => "hang")
    const { id } = await client.webhook({ url: slow })
    const beside = Array.from({ length: 3 }, () => receiver.endpoint())
    for (const url of beside) await client.webhook({ url })
    await forAll(Array(people).keys(), atOnce, async () => void (await client.started()))
    for (const url of beside) await receiver.sent(url, people)

    // No clock is involved: all others are done while the first webhook is still unanswered.
    assert.deepStrictEqual((await client.webhooks(`/${id}/deliveries`)).body.items, [])
    const held = receiver.at(slow).length
    assert.isAtLeast(held, 1)
    assert.isAtMost(held, 32)
    for (const url of beside) assert.lengthOf(receiver.at(url), people)

    // Webhooks that wait for the slow endpoint are not lost.
    receiver.letGo()
    const { body } = await until(
      () => client.webhooks(`/${id}/deliveries?status=FAILED&limit=200`),
      ({ body }) => body.items.length >= held,
      { what: "the log of those that were let go" }
    )
    for (const entry of body.items) assert.match(entry.nextAttemptAt, /Z$/)
  })
})

describe("a merchant with eight webhook endpoints that stop answering", () => {
  const endpoints = 8
  /** A lane is 8 wide at first and 32 at most, in each of two processes. */
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

  it("uses at most half of the sends of both processes, and another merchant's webhooks arrive immediately", async () => {
    const slow = await service.client()
    const quick = await service.client()
    // Answered webhooks widen each endpoint's lane to its maximum.
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

    // All others are done while the hanging ones still run, so none waited for them.
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
