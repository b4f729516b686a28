import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "./fixture/Client.ts"
import { forAll } from "./fixture/Load.ts"
import { Receiver } from "./fixture/Receiver.ts"
import { postgres, type Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

const people = 120
const atOnce = 4

const quantile = (values: ReadonlyArray<number>, q: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * q)] ?? Number.NaN

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

  /** Milliseconds from the answer to an initiate until every endpoint has heard of it. */
  const delays = async (client: Client, urls: ReadonlyArray<string>): Promise<ReadonlyArray<number>> => {
    const answered = new Map<string, number>()
    await forAll(Array(people).keys(), atOnce, async () => {
      answered.set(await client.started(), performance.now())
    })
    for (const url of urls) await receiver.sent(url, people)
    return urls.flatMap((url) =>
      receiver.at(url).map(({ at, event }) => Math.max(0, at - answered.get(event.data.requestId)!))
    )
  }

  it("does not keep three others from theirs", async () => {
    const healthy = (length: number) => Array.from({ length }, () => receiver.endpoint())
    const without = await service.client()
    const [alone, beside] = [healthy(4), healthy(3)]
    for (const url of alone) await without.webhook({ url })
    const quiet = await delays(without, alone)

    const withIt = await service.client()
    const slow = receiver.endpoint(() => "hang")
    const { id } = await withIt.webhook({ url: slow })
    for (const url of beside) await withIt.webhook({ url })
    const disturbed = await delays(withIt, beside)

    // Nothing is measured against a clock: all others are done, and the first webhook is still without an answer.
    assert.deepStrictEqual((await withIt.webhooks(`/${id}/deliveries`)).body.items, [])
    const held = receiver.at(slow).length
    assert.isAtLeast(held, 1)
    assert.isAtMost(held, 32)
    for (const url of beside) assert.lengthOf(receiver.at(url), people)
    const shown = (all: ReadonlyArray<number>) =>
      `p50 ${quantile(all, 0.5).toFixed(1)} ms, p99 ${quantile(all, 0.99).toFixed(1)} ms`
    console.log(
      `four healthy receivers: ${shown(quiet)}; three beside one that hangs: ${shown(disturbed)}; it held ${held}`
    )

    // What waits for it is not lost.
    receiver.letGo()
    const { body } = await until(
      () => withIt.webhooks(`/${id}/deliveries?status=FAILED&limit=200`),
      ({ body }) => body.items.length >= held,
      { what: "the log of those that were let go" }
    )
    for (const entry of body.items) assert.match(entry.nextAttemptAt, /Z$/)
  })
})
