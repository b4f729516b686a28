/**
 * {{provider}} on your own machine, for a look at the whole: `npm run fake` in one terminal, the server in another. It
 * takes every message, prints it, and reports a second later that it arrived. Make it speak as your provider does.
 */
import { Redacted } from "effect"
import { createServer } from "node:http"
import { sign } from "../src/receipts.ts"

const port = 9009
const service = process.env["PUBLIC_URL"] ?? "http://localhost:8080"
const secret = process.env["{{PREFIX}}_WEBHOOK_SECRET"]

const report = async (message: { readonly id: string; readonly reference: string }, webhookSecret: string) => {
  const body = new TextEncoder().encode(JSON.stringify({ ...message, status: "delivered" }))
  const headers = { "x-{{provider}}-signature": sign(Redacted.make(webhookSecret), body).toString("hex") }
  const answer = await fetch(`${service}/v1/callbacks/{{provider}}`, { method: "POST", headers, body })
  console.log(`reported ${message.id}: the service answered ${answer.status}`)
}

let count = 0
const server = createServer((request, response) => {
  let body = ""
  request.setEncoding("utf8").on("data", (chunk) => (body += chunk))
  request.on("end", () => {
    const { reference, text, to } = JSON.parse(body || "{}")
    const id = `m${++count}`
    console.log(`${id} to ${to}: ${text}`)
    response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ id }))
    if (secret !== undefined) setTimeout(() => void report({ id, reference }, secret).catch(console.error), 1000)
  })
})
server.listen(port, "127.0.0.1", () => console.log(`{{provider}} listens at http://127.0.0.1:${port}`))
