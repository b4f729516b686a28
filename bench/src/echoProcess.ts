import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { answer } from "./Child.ts"

/** The least that a JSON service on Node can do: read a body, parse it, answer it. */
const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk))
  request.on("end", () => {
    const body = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()))
    response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) })
    response.end(body)
  })
})

answer({
  start: () =>
    new Promise((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve({ port: (server.address() as AddressInfo).port }))
    })
})
