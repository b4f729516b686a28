import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { inDirectory } from "../src/Assets.ts"
import * as Build from "../src/dashboard/Build.ts"
import * as Dashboard from "../src/dashboard/Dashboard.ts"
import { encodingFor } from "../src/dashboard/encodingFor.ts"
import { policiesFor } from "../src/dashboard/policy.ts"
import { memory, type Service } from "./fixture/Service.ts"
import type * as Wire from "./fixture/Wire.ts"

const program = `console.log("${"x".repeat(500)}")`
const index = `<!doctype html><title>Countersign</title>${" ".repeat(300)}`

/** A page as the build writes it. */
const built = async (directory: string, html = index) => {
  await mkdir(join(directory, "assets"), { recursive: true })
  await mkdir(join(directory, ".vite"), { recursive: true })
  const files = {
    "index.html": html,
    "assets/index-A1b2.js": program,
    "icon.svg": "<svg/>",
    "icon-192.png": "PNG",
    "app.webmanifest": "{}",
    ".vite/manifest.json": "{}"
  }
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(directory, name), text)
    if (name.startsWith("icon")) continue
    await writeFile(join(directory, `${name}.br`), brotliCompressSync(text))
    await writeFile(join(directory, `${name}.gz`), gzipSync(text))
  }
}

const mounted = (build: Build.Build, options: Partial<Dashboard.Options> = {}) =>
  Effect.runPromise(
    Effect.provide(
      Dashboard.make({ build, publicUrl: "http://localhost", isDevelopment: true, ...options }),
      Logger.layer([])
    )
  )

describe("the dashboard's static files", () => {
  let directory: string
  let service: Service
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "countersign-page-"))
    await built(directory)
    service = await memory({ mounts: [await mounted(Build.built(inDirectory(directory)))] })
  })
  afterAll(async () => {
    await service?.close()
    await rm(directory, { recursive: true, force: true })
  })
  const ask = (path: string, headers: Wire.Call["headers"] = {}, method = "GET") =>
    service.send({ method, path, headers })

  it.each(["/dashboard", "/dashboard/", "/dashboard?x=1", "/dashboard/verifications/ver_1", "/dashboard/a/b/c?to=a.b"])(
    "%s is a screen: it gets the index with its content security policy, revalidated each time",
    async (path) => {
      const { headers, status, text } = await ask(path)
      assert.deepStrictEqual([status, text], [200, index])
      assert.deepInclude(headers, {
        ...policiesFor("http://localhost").page({ scripts: [], styles: [] }),
        "content-type": "text/html; charset=utf-8",
        "cache-control": "no-cache",
        vary: "accept-encoding",
        "content-length": String(index.length)
      })
      assert.notProperty(headers, "strict-transport-security")
      const again = await ask(path, { "if-none-match": `"other", W/${headers.etag}` })
      assert.deepStrictEqual([again.status, again.text, again.headers.etag], [304, "", headers.etag])
    }
  )

  it("a file named by its content hash is cached for a year, and others are revalidated", async () => {
    const hashed = await ask("/dashboard/assets/index-A1b2.js")
    assert.deepStrictEqual([hashed.status, hashed.text], [200, program])
    assert.strictEqual(hashed.headers["cache-control"], "public, max-age=31536000, immutable")
    assert.strictEqual(hashed.headers["content-type"], "text/javascript; charset=utf-8")
    assert.include(hashed.headers["content-security-policy"], "default-src 'none'")
    const icon = await ask("/dashboard/icon.svg")
    assert.deepStrictEqual([icon.headers["cache-control"], icon.headers["content-type"]], ["no-cache", "image/svg+xml"])
    for (const [name, type] of [
      ["icon-192.png", "image/png"],
      ["app.webmanifest", "application/manifest+json"]
    ]) {
      const { headers } = await ask(`/dashboard/${name}`)
      assert.deepStrictEqual([headers["cache-control"], headers["content-type"]], ["no-cache", type], name)
    }
  })

  it.each([
    "/dashboard/assets/index-0000.js",
    "/dashboard/assets/index-A1b2",
    "/dashboard/app.js",
    "/dashboard/verifications/app.js.map",
    "/dashboard/assets/index-A1b2.js.br",
    "/dashboard/.vite/manifest.json",
    "/dashboard/%2e%2e/%2e%2e/package.json",
    "/dashboard/../package.json",
    "/dashboard/..%2fpackage.json",
    "/dashboard/__proto__.js"
  ])("%s is not a file of the page: it gets 404, never the index", async (path) => {
    const answer = await ask(path)
    assert.deepStrictEqual([answer.status, answer.body?.errorCode], [404, "NOT_FOUND"])
  })

  it("no answer under /dashboard can be a document that runs scripts, is framed elsewhere or leaks its address", async () => {
    const all = [
      await ask("/dashboard/none.js"),
      await ask("/dashboard/none.html"),
      await ask("/dashboard", {}, "POST"),
      await ask("/dashboard", {}, "HEAD"),
      await ask("/dashboard/mail", {}, "HEAD"),
      await ask("/dashboard/icon.svg"),
      await ask("/dashboard/assets/index-A1b2.js", { "if-none-match": "*" }),
      await ask("/dashboard", { "if-none-match": "*", range: "bytes=0-1", host: "evil.example" }),
      await ask(`/dashboard/${"%2e%2e%2f".repeat(900)}etc/passwd`)
    ]
    for (const { headers, status } of all) {
      assert.match(String(headers["content-security-policy"]), /default-src 'none'/, `${status}`)
      assert.match(String(headers["content-security-policy"]), /frame-ancestors '(none|self)'/, `${status}`)
      assert.deepInclude(headers, { "x-content-type-options": "nosniff", "referrer-policy": "no-referrer" })
      assert.notInclude(JSON.stringify(headers), "evil.example")
    }
    assert.deepStrictEqual(
      all.map(({ status }) => status),
      [404, 404, 405, 200, 200, 200, 304, 304, 200]
    )
  })

  it("HEAD has the headers of GET without a body, and other methods get 405", async () => {
    const [get, head] = [await ask("/dashboard/x"), await ask("/dashboard/x", {}, "HEAD")]
    const headersOf = ({ headers: { date: _, "x-request-id": __, ...headers } }: Wire.Answer) => headers
    assert.deepStrictEqual([head.status, head.text, headersOf(head)], [200, "", headersOf(get)])
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
      const { body, headers, status } = await ask("/dashboard/assets/index-A1b2.js", {}, method)
      assert.deepStrictEqual([status, body.errorCode, headers.allow], [405, "METHOD_NOT_ALLOWED", "GET, HEAD"])
    }
  })

  it("the client chooses the encoding, and each encoding has its own ETag", async () => {
    const bytes = (coding: string) =>
      new Promise<{ readonly body: Buffer; readonly etag: string; readonly coding: string | undefined }>(
        (resolve, reject) => {
          const call = request(`${service.url()}/dashboard`, { headers: { "accept-encoding": coding } }, (answer) => {
            const chunks: Array<Buffer> = []
            answer.on("data", (chunk: Buffer) => chunks.push(chunk))
            answer.on("end", () =>
              resolve({
                body: Buffer.concat(chunks),
                etag: String(answer.headers.etag),
                coding: answer.headers["content-encoding"]
              })
            )
          })
          call.on("error", reject).end()
        }
      )
    const [br, gzip, plain] = [await bytes("gzip, deflate, br, zstd"), await bytes("gzip"), await bytes("identity")]
    assert.deepStrictEqual([br.coding, gzip.coding, plain.coding], ["br", "gzip", undefined])
    assert.strictEqual(brotliDecompressSync(br.body).toString(), index)
    assert.strictEqual(gunzipSync(gzip.body).toString(), index)
    assert.strictEqual(plain.body.toString(), index)
    assert.strictEqual(new Set([br.etag, gzip.etag, plain.etag]).size, 3)
  })

  it.each<readonly [string | undefined, string]>([
    [undefined, "identity"],
    ["", "identity"],
    ["deflate, zstd", "identity"],
    ["gzip", "gzip"],
    ["br;q=0.5, gzip", "gzip"],
    ["gzip;q=0.8, br;q=0.8", "br"],
    ["br;q=0, gzip;q=0", "identity"],
    ["BR", "br"],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["identity, br;q=0.1", "identity"],
    ["br;q=x", "identity"]
  ])("Accept-Encoding %j is answered in %s", (header, expected) => {
    assert.strictEqual(encodingFor(header, ["br", "gzip"]), expected)
  })

  it("the API's own paths under /dashboard are never shadowed by files", async () => {
    for (const path of ["/dashboard/oidc/start", "/dashboard/oidc/callback", "/dashboard/oidc", "/dashboard/oidc/x"]) {
      const { headers, text } = await ask(path)
      assert.notInclude(text, "<title>", path)
      assert.notProperty(headers, "permissions-policy", path)
    }
    for (const path of ["/dashboards", "/v1/dashboard/me", "/dashboard%2foidc/start"])
      assert.notInclude((await ask(path)).text, "<title>", path)
  })

  it("browsers must use HTTPS if the public URL does", async () => {
    const policies = policiesFor("https://verify.example.com")
    const page = policies.page({ scripts: [], styles: [] })
    for (const { "strict-transport-security": transport } of [page, policies.asset, policies.mail("x")])
      assert.strictEqual(transport, "max-age=31536000")
  })

  it("scripts and styles inside the page run by their hashes alone, and each answer names those of its own HTML", async () => {
    const own = await mkdtemp(join(tmpdir(), "countersign-inline-"))
    await built(own, `<script>a("<&")</script><style>b{}</style><script src="/x.js"></script><script>c()</script>`)
    const serving = await memory({ mounts: [await mounted(Build.built(inDirectory(own)))] })
    const policy = String((await serving.send({ path: "/dashboard" })).headers["content-security-policy"])
    await serving.close()
    await rm(own, { recursive: true, force: true })
    const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
    assert.include(policy, `; script-src 'self' ${hash('a("<&")')} ${hash("c()")}; style-src 'self' ${hash("b{}")}; `)
    assert.notInclude(policy, "unsafe")
    assert.notInclude(String((await ask("/dashboard")).headers["content-security-policy"]), "sha256")
  })

  it("the email preview has its own policy: a sandbox, one script, and only the dashboard may frame it", async () => {
    const { headers, status, text } = await ask("/dashboard/mail")
    assert.strictEqual(status, 200)
    const policy = String(headers["content-security-policy"])
    assert.match(policy, /^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[\w+/=]{44}'; /)
    assert.include(policy, "frame-ancestors 'self'")
    assert.notInclude(policy, "http")
    assert.notMatch(text, / on\w+=|src=|href=/)
  })
})

describe("a dashboard page built from sources", () => {
  let directory: string
  let sources: Build.Sources & { print: string; problem: string | null; builds: number }
  const start = async (follow: boolean, isDevelopment = true) => {
    directory = await mkdtemp(join(tmpdir(), "countersign-sources-"))
    sources = {
      page: join(directory, "page"),
      print: "1",
      problem: null,
      builds: 0,
      fingerprint: async () => sources.print,
      build: async () => {
        sources.builds++
        if (sources.problem !== null) return sources.problem
        await built(join(directory, "fresh"), `built from ${sources.print}`)
        await rm(sources.page, { recursive: true, force: true })
        await rename(join(directory, "fresh"), sources.page)
        return null
      }
    }
    const log: Array<string> = []
    const mount = await mounted(Build.fromSources(sources, { follow }), { isDevelopment })
    const service = await memory({ mounts: [mount], log: (line) => log.push(line) })
    const ask = () => service.send({ path: "/dashboard" })
    return {
      ask,
      url: service.url(),
      close: async () => {
        await service.close()
        await rm(directory, { recursive: true, force: true })
      }
    }
  }

  it("is built once for concurrent requests, and again after a change", async () => {
    const { ask, close } = await start(true)
    const texts = await Promise.all(Array.from({ length: 20 }, async () => (await ask()).text))
    assert.deepStrictEqual([[...new Set(texts)], sources.builds], [["built from 1"], 1])
    sources.print = "2"
    assert.deepStrictEqual([(await ask()).text, sources.builds], ["built from 2", 2])
    await close()
  })

  it("is never rebuilt outside development", async () => {
    const { ask, close } = await start(false)
    await ask()
    sources.print = "2"
    assert.deepStrictEqual([(await ask()).text, sources.builds], ["built from 1", 1])
    await close()
  })

  it("shows the build error, waits before the next try, and is built after the error is fixed", async () => {
    const { ask, close, url } = await start(true)
    sources.problem = "src/main.tsx:3 Unexpected token"
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(`${url}/dashboard`)
      assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [500, "text/plain; charset=utf-8"])
      assert.include(await answer.text(), sources.problem)
    }
    assert.strictEqual(sources.builds, 1)
    sources.problem = null
    sources.print = "2"
    assert.strictEqual((await ask()).text, "built from 2")
    await close()
  })

  it("shows nothing of this machine if others can reach the service", async () => {
    const { ask, close } = await start(true, false)
    sources.problem = "/home/somebody/src/main.tsx:3 Unexpected token"
    const { body, status, text } = await ask()
    assert.deepStrictEqual([status, body.errorCode], [500, "INTERNAL_ERROR"])
    assert.notInclude(text, "somebody")
    await close()
  })

  it("is tried again five seconds after a failed build, even without a change", async () => {
    let builds = 0
    const build = Build.fromSources(
      { page: "/nowhere", fingerprint: async () => "1", build: async () => `full disk ${++builds}` },
      { follow: true }
    )
    const problem = Effect.map(Effect.flip(build.newest), ({ message }) => message.split("\n")[1])
    const looks = Effect.gen(function* () {
      const [first, second] = [yield* problem, yield* problem]
      yield* TestClock.adjust("5 seconds")
      return [first, second, yield* problem]
    })
    const seen = await Effect.runPromise(Effect.provide(looks, TestClock.layer()))
    assert.deepStrictEqual(seen, ["full disk 1", "full disk 1", "full disk 2"])
  })
})
