import { assert, describe, it } from "vitest"
import { type Client, phone } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"

const channels = (client: Client) => client.get("/v1/dashboard/channels")

/** The channels of an environment. */
export const suite = (service: () => Service) =>
  describe("channels", () => {
    it("are listed with their role and their last results, for one environment only", async () => {
      const mine = await service().merchant({ primaryChannel: "WHATSAPP", fallbackChannel: "SMS" })
      const theirs = await service().client()
      const before = (await channels(mine.test)).body
      assert.deepStrictEqual(
        before.items.map(({ channel, enabled, role }: any) => [channel, enabled, role]),
        [
          ["SMS", true, "FALLBACK"],
          ["WHATSAPP", true, "PRIMARY"],
          ["RCS", true, null],
          ["EMAIL", true, null]
        ]
      )
      assert.deepStrictEqual(before.items[1], {
        channel: "WHATSAPP",
        label: "WhatsApp",
        provider: "sandbox",
        enabled: true,
        role: "PRIMARY",
        breaker: { state: "CLOSED", until: null },
        perSecond: null,
        carriers: [{ carrier: "sandbox", breaker: { state: "CLOSED", until: null }, perSecond: null, prefixes: [] }],
        waiting: 0,
        oldestWaitingAt: null,
        lastSentAt: null,
        lastFailure: null,
        lastReceiptAt: null
      })
      await mine.test.started({ identity: phone() })
      const { body } = await until(
        () => channels(mine.test),
        (answer) => answer.body.items[1].lastSentAt !== null,
        { what: "the send" }
      )
      assert.match(body.items[1].lastSentAt, /^\d{4}-.*\.\d{3}Z$/)
      assert.isNull(body.items[0].lastSentAt)
      for (const client of [mine.live, theirs])
        assert.isTrue((await channels(client)).body.items.every(({ lastSentAt }: any) => lastSentAt === null))
    })
  })
