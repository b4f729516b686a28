import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { answer } from "./Child.ts"

/** A merchant's server that does nothing but take webhooks, and the delay of each since its event. */
let delays: Array<number> = []

const createdAt = /"createdAt":"([^"]+)"/

const server = createServer((request, response) => {
  let body = ""
  request.setEncoding("latin1").on("data", (chunk: string) => (body += chunk))
  request.on("end", () => {
    delays.push(Date.now() - Date.parse(createdAt.exec(body)?.[1] ?? ""))
    response.writeHead(204).end()
  })
})

answer({
  start: async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
  received: () => delays.length,
  /** The delays in milliseconds since it was asked last. */
  delays: () => {
    const taken = delays
    delays = []
    return taken
  }
})
