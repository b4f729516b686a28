import { assert, describe } from "vitest"
import { phone, refused } from "../fixture/Client.ts"
import { Inbox } from "../fixture/Inbox.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Opt-outs from campaigns, over HTTP. */
export const suite = (service: () => Service, once: Once) =>
  describe("opt-outs", () => {
    const inbox = async () => new Inbox(await service().client())
    const remove = (box: Inbox, number: string) =>
      box.dashboard(`/opt-outs/${encodeURIComponent(number)}`, undefined, "DELETE")

    once("are added, listed and removed, in any spelling of the number", async () => {
      const box = await inbox()
      const numbers = [phone(), phone(), phone()].toSorted()
      const made = await box.dashboard("/opt-outs", { phone: numbers[0] })
      assert.strictEqual(made.status, 201, made.text)
      assert.match(made.body.at, utc)
      assert.deepStrictEqual(made.body, { phone: numbers[0], by: "PERSON", at: made.body.at })
      const again = await box.dashboard("/opt-outs", { phone: numbers[0]!.slice(3) })
      assert.deepStrictEqual([again.status, again.body], [201, made.body])
      for (const number of numbers.slice(1)) await box.dashboard("/opt-outs", { phone: number })
      assert.deepStrictEqual(
        (await box.all("/opt-outs", { limit: 2 })).map((item) => item.phone),
        numbers
      )
      const stranger = await inbox()
      assert.deepStrictEqual((await stranger.dashboard("/opt-outs")).body, { items: [], nextCursor: null })
      refused(await remove(stranger, numbers[0]!), "OPT_OUT_NOT_FOUND")
      const removed = await remove(box, numbers[0]!)
      assert.strictEqual(removed.status, 204, removed.text)
      refused(await remove(box, numbers[0]!), "OPT_OUT_NOT_FOUND")
      assert.strictEqual((await remove(box, numbers[1]!.slice(1))).status, 204)
      assert.deepStrictEqual(
        (await box.dashboard("/opt-outs")).body.items.map((item: { phone: string }) => item.phone),
        numbers.slice(2)
      )
    })

    once("name each invalid field", async () => {
      const box = await inbox()
      for (const value of [undefined, null, "", "abc", "12", 919876543210, [], "\0", "+91 98765 43210 ext 1"]) {
        refused(await box.dashboard("/opt-outs", { phone: value }), "INVALID_REQUEST", "phone")
      }
      refused(await remove(box, "abc"), "INVALID_REQUEST", "phone")
      for (const [name, values] of Object.entries({
        limit: ["0", "201", "x"],
        cursor: ["x", "", "a.b.c", "+919876543210"]
      })) {
        for (const value of values) {
          const query = new URLSearchParams({ [name]: value }).toString()
          refused(await box.dashboard(`/opt-outs?${query}`), "INVALID_REQUEST", name)
        }
      }
    })
  })
