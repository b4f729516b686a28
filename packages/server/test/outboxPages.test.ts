import { assert, describe, it } from "vitest"
import { OutboxServer } from "./fixture/OutboxServer.ts"

const browsers = [
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
  "text/html",
  "TEXT/HTML; q=0.9, application/json;q=0.8"
]
const clients = [
  undefined,
  "*/*",
  "application/json",
  "application/json, text/plain, */*",
  "application/json, text/html",
  "text/html;q=0, */*",
  "text/html;q=much",
  "text/*",
  ""
]

const ask = async (accept: string | undefined, path = "") => {
  const server = new OutboxServer()
  server.add({ text: "271828 is your code", code: "271828" })
  await server.start()
  try {
    const response = await fetch(server.url + path, accept === undefined ? {} : { headers: { accept } })
    return { headers: response.headers, text: await response.text() }
  } finally {
    await server.stop()
  }
}

describe("/dev/outbox", () => {
  it("is a page for clients that accept HTML by name, and data for all others", async () => {
    for (const accept of browsers) {
      const { headers, text } = await ask(accept)
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8", accept)
      assert.notInclude(text, "271828")
    }
    for (const accept of clients) {
      const { headers, text } = await ask(accept)
      assert.strictEqual(headers.get("content-type"), "application/json", accept)
      assert.strictEqual(JSON.parse(text).items[0].code, "271828")
    }
  })

  it("is never cached, neither as a page nor as data", async () => {
    for (const accept of ["text/html", "*/*"]) {
      const { headers } = await ask(accept)
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.strictEqual(headers.get("vary"), "accept")
    }
  })

  it("runs only its own program, which creates no markup from strings", async () => {
    const { headers, text } = await ask("text/html")
    const policy = headers.get("content-security-policy") ?? ""
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'"
    ]) {
      assert.include(policy.split("; "), rule)
    }
    assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    assert.notMatch(text, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|https?:\/\/(?!localhost|www\.w3\.org)/)
    const program = await ask("*/*", ".js")
    assert.strictEqual(program.headers.get("content-type"), "text/javascript; charset=utf-8")
    assert.notMatch(program.text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/)
    assert.strictEqual((await ask("*/*", ".css")).headers.get("content-type"), "text/css; charset=utf-8")
  })
})
