import { createHmac } from "node:crypto"
import { answer } from "./Child.ts"
import { run } from "./Load.ts"
import { appSecret, receiver } from "./Service.ts"

/** A provider that reports what customers write: one message a request, signed, each from somebody else or from few. */
let made = Math.floor(Math.random() * 1_000_000_000)

const request = (customers: number): string => {
  const n = made++
  const phone = String(917_000_000_000 + (n % customers))
  const message = {
    from: phone,
    id: `wamid.bench${n}`,
    timestamp: String(Math.floor(Date.now() / 1000)),
    type: "text",
    text: { body: `Is this still available? ${n}` }
  }
  const value = {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: "15550001111", phone_number_id: receiver },
    contacts: [{ profile: { name: `Asha ${n % customers}` }, wa_id: phone }],
    messages: [message]
  }
  const body = JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id: "1", changes: [{ field: "messages", value }] }]
  })
  const signature = createHmac("sha256", appSecret).update(body).digest("hex")
  return (
    `POST /v1/callbacks/whatsapp HTTP/1.1\r\nhost: localhost\r\nx-hub-signature-256: sha256=${signature}\r\n` +
    `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  )
}

export interface Storm {
  readonly port: number
  readonly messages: number
  readonly customers: number
  readonly connections: number
}

answer({
  /** Reports them all at once: every connection its next one as soon as the last is answered. */
  storm: async ({ connections, customers, messages, port }: Storm) => {
    const requests = Array.from({ length: messages }, () => request(customers))
    const next = () => requests.pop() ?? null
    return run({ port, connections, millis: 600_000, source: { next }, cpu: () => Promise.resolve(0) })
  }
})
