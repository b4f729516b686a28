import { SmtpSimulator, TwilioSimulator, WhatsAppSimulator } from "@countersign/testkit/simulators"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { simulatedMessages } from "../src/outbox/simulatedMessages.ts"

const shows = Effect.gen(function* () {
  const templates = [{ name: "order_update", language: "en", category: "UTILITY", body: "{{1}} is on its way" }]
  const whatsapp = yield* WhatsAppSimulator.make({ templates, script: WhatsAppSimulator.scripts.silent })
  const twilio = yield* TwilioSimulator.make({})
  const smtp = yield* SmtpSimulator.make({})
  yield* whatsapp.deliver([yield* whatsapp.letter({ userId: "IN.1A2b3C", text: "Hi" })])
  const send = (content: object) =>
    Effect.promise(async () => {
      const { status } = await fetch(`${whatsapp.url}/v25.0/${whatsapp.phoneNumberIds[0]}/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${whatsapp.accessToken}`, "content-type": "application/json" },
        body: JSON.stringify({ messaging_product: "whatsapp", ...content })
      })
      assert.strictEqual(status, 200)
    })
  yield* send({ recipient: "IN.1A2b3C", type: "text", text: { body: "Hello <b>you</b>" } })
  const parameters = [{ type: "text", text: "Your saree" }]
  yield* send({
    to: "+919812345678",
    type: "template",
    template: { name: "order_update", language: { code: "en" }, components: [{ type: "body", parameters }] }
  })
  const shown = yield* simulatedMessages({ twilio, whatsapp, smtp, takenAt: () => 0 })
  assert.sameDeepMembers(
    shown.map(({ channel, code, text, to }) => [channel, to, text, code]),
    [
      ["WHATSAPP", "IN.1A2b3C", "Hello <b>you</b>", null],
      ["WHATSAPP", "+919812345678", "Your saree is on its way", null]
    ]
  )
})

it("the outbox shows replies as the customer reads them, also to somebody who hides their number", () =>
  Effect.runPromise(Effect.scoped(shows)))
