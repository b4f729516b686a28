import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { parseUrl } from "../src/WebhookUrl.ts"

const read = (url: string, allowPrivate = false) =>
  Result.getOrElse(parseUrl(url, allowPrivate), ({ problem }) => problem)

const target = { secure: true, host: "shop.example", port: 443, path: "/", authority: "shop.example" }

describe("the parser of webhook URLs", () => {
  it("returns the destination of a webhook", () => {
    assert.deepStrictEqual(read("https://shop.example"), target)
    assert.deepStrictEqual(read("https://shop.example:443/"), target)
    assert.deepStrictEqual(read("https://Shop.Example./"), { ...target, authority: "shop.example" })
    assert.deepStrictEqual(read("https://shop.example:8443/a?b=c&d#e"), {
      ...target,
      port: 8443,
      path: "/a?b=c&d",
      authority: "shop.example:8443"
    })
    assert.deepStrictEqual(read("https://दुकान.example/ह"), {
      ...target,
      host: "xn--11b7ah1gn.example",
      path: "/%E0%A4%B9",
      authority: "xn--11b7ah1gn.example"
    })
    assert.deepStrictEqual(read("https://192.31.196.1/"), {
      ...target,
      host: "192.31.196.1",
      authority: "192.31.196.1"
    })
    assert.deepStrictEqual(read("https://[2620:4F:8000::1]:65535/"), {
      ...target,
      host: "2620:4f:8000::1",
      port: 65535,
      authority: "[2620:4f:8000::1]:65535"
    })
  })

  it("names the problem and its solution", () => {
    assert.strictEqual(read("http://shop.example"), "must start with https://")
    assert.strictEqual(read("shop.example/webhooks"), "must be a URL such as https://example.com/webhooks")
    assert.strictEqual(read("https://user@shop.example"), "must not contain a user name or password")
    assert.strictEqual(read("https://shop.example:0"), "must have a port from 1 to 65535, or none")
    assert.strictEqual(read("https://shop..example"), "must have a valid host name")
    assert.strictEqual(read("https://localhost"), "must be on the public internet")
    assert.strictEqual(read("https://10.0.0.1"), "must be on the public internet")
    assert.strictEqual(read("https://shop.example/a\tb"), "must not contain spaces, control characters or backslashes")
  })

  it("accepts at most 2048 characters", () => {
    const url = (length: number) => `https://shop.example/${"a".repeat(length - 21)}`
    assert.isObject(read(url(2048)))
    assert.strictEqual(read(url(2049)), "must be at most 2048 characters")
  })

  it("accepts at most 2048 characters in the stored form, so every registered URL can be used", () => {
    const problem = "must be at most 2048 characters, with non-ASCII letters written as %XX"
    const url = (letters: number) => `https://shop.example/${"ह".repeat(letters)}`
    assert.strictEqual(read(url(226)), problem)
    assert.isObject(read(url(225)))
    assert.isObject(read(new URL(url(225)).href))
    // One character more, for the slash that the stored form adds.
    assert.strictEqual(read(`https://shop.example?${"a".repeat(2027)}`), problem)
  })

  it("with allowPrivate accepts any host and http, but not every URL", () => {
    for (const url of [
      "http://localhost:3000/",
      "https://10.0.0.1/",
      "http://[::1]/",
      "http://web/",
      "https://a.local/"
    ]) {
      assert.isObject(read(url, true), url)
    }
    for (const url of [
      "ftp://localhost/",
      "http://user@localhost/",
      "http://localhost:0/",
      "http://a..b/",
      "http:\\\\a/"
    ]) {
      assert.isString(read(url, true), url)
    }
    assert.deepStrictEqual(read("http://localhost/", true), {
      secure: false,
      host: "localhost",
      port: 80,
      path: "/",
      authority: "localhost"
    })
  })
})
