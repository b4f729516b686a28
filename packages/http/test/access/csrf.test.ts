import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { contract } from "../../src/Routes.ts"
import { type Answer, type Headers, openWorld, origin, type Sent, type World } from "./World.ts"

/** A request that a foreign page can make a signed-in browser send, as a change of the genuine request. */
interface Trick {
  readonly name: string
  /** Replaces headers of the dashboard's own page; undefined removes one. */
  readonly headers?: { readonly [name: string]: string | undefined }
  readonly sent?: (genuine: Sent, token: string) => Sent
  /** The foreign page may read, but never change. */
  readonly mayRead?: true
}

const foreignOrigins = [
  "https://evil.example",
  "null",
  "",
  " ",
  "https://verify.example.com.evil.example",
  "https://evil-verify.example.com",
  "https://evilverify.example.com",
  "https://verify.example.com@evil.example",
  "https://evil.example#@verify.example.com",
  "https://user@verify.example.com",
  "https://verify.example.com:443",
  "https://verify.example.com:8443",
  "https://verify.example.com:",
  "http://verify.example.com",
  "HTTPS://verify.example.com",
  "https://VERIFY.example.com",
  "https://verify.example.com.",
  "https://verify.example.com/",
  "https://verify.example.com?",
  "https://example.com",
  "https://app.verify.example.com",
  "https://sibling.example.com",
  "https://*.example.com",
  "*",
  "https://verify.xn--exmple-cua.com",
  "https://verify.ex\u00e4mple.com",
  "https://verify.example.com, https://evil.example",
  "https://evil.example, https://verify.example.com",
  "https://verify.example.com https://evil.example",
  "https://verify.example.com, https://verify.example.com",
  "//verify.example.com",
  "verify.example.com",
  "file://",
  "chrome-extension://verify.example.com",
  "https://verify.example.com%00.evil.example",
  "https://verify.example.com\\.evil.example",
  "wss://verify.example.com",
  "http://localhost"
]

const otherTypes = [
  "text/plain",
  "text/plain; application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "multipart/form-data; boundary=application/json",
  "application/json, text/plain",
  "text/json",
  "application/jsonp",
  "application/csp-report",
  ""
]

const tricks: ReadonlyArray<Trick> = [
  ...foreignOrigins.map((from): Trick => ({ name: `from ${JSON.stringify(from)}`, headers: { origin: from } })),
  { name: "without an origin", headers: { origin: undefined } },
  { name: "without an origin, with a referrer", headers: { origin: undefined, referer: `${origin}/dashboard` } },
  {
    name: "with the origin in another header",
    headers: { origin: undefined, "x-origin": origin, "x-forwarded-origin": origin }
  },
  { name: "with the host of its origin", headers: { origin: "https://evil.example", host: "evil.example" } },
  {
    name: "with a proxy's word for its origin",
    headers: {
      origin: "https://evil.example",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "https",
      forwarded: "host=evil.example;proto=https",
      "x-original-host": "evil.example"
    }
  },
  ...["cross-site", "same-site", "none", "Same-Origin", "same-origin, cross-site", "same-origin;", ""].map(
    (site): Trick => ({ name: `of a request that is ${JSON.stringify(site)}`, headers: { "sec-fetch-site": site } })
  ),
  ...otherTypes.map((type): Trick => ({ name: `as ${JSON.stringify(type)}`, headers: { "content-type": type } })),
  {
    name: "as a form of another site",
    headers: { origin: "null", "sec-fetch-site": "cross-site", "content-type": "application/x-www-form-urlencoded" },
    sent: (genuine) => ({ ...genuine, body: `${JSON.stringify(genuine.body ?? {})}=` })
  },
  {
    name: "by GET with another method in a header",
    headers: {
      origin: undefined,
      "x-http-method-override": "PATCH",
      "x-method-override": "DELETE",
      "x-http-method": "POST"
    },
    sent: ({ headers, path }) => ({ method: "GET", path, headers: headers! }),
    mayRead: true
  },
  {
    name: "by GET with everything in the query",
    headers: { origin: undefined },
    sent: ({ body, headers, method, path }) => ({
      method: "GET",
      path: `${path}?${new URLSearchParams({ _method: method, body: JSON.stringify(body ?? {}), codeLength: "4" }).toString()}`,
      headers: headers!
    }),
    mayRead: true
  },
  {
    name: "by HEAD",
    headers: { origin: undefined },
    sent: ({ headers, path }) => ({ method: "HEAD", path, headers: headers! }),
    mayRead: true
  },
  { name: "by OPTIONS", sent: ({ headers, path }) => ({ method: "OPTIONS", path, headers: headers! }) },
  { name: "by PUT", sent: ({ headers, path }) => ({ method: "PUT", path, headers: headers!, body: {} }) },
  {
    name: "with the session in the query",
    headers: { cookie: undefined },
    sent: (genuine, token) => ({ ...genuine, path: `${genuine.path}?__Host-countersign=${token}&cookie=${token}` })
  },
  {
    name: "with the session in the body",
    headers: { cookie: undefined },
    sent: (genuine, token) => ({
      ...genuine,
      body: { ...(genuine.body as object | undefined), "__Host-countersign": token }
    })
  },
  ...(
    [
      ["beside a planted one", (token) => `__Host-countersign=planted; __Host-countersign=${token}`],
      ["before a planted one", (token) => `__Host-countersign=${token}; __Host-countersign=planted`],
      ["beside an empty one", (token) => `__Host-countersign=${token}; __Host-countersign`],
      ["under the name of development", (token) => `countersign-dev=${token}`],
      [
        "under a name that browsers do not guard",
        (token) => `__host-countersign=${token}; __Secure-countersign=${token}`
      ],
      ["behind white space", (token) => `a=b; \u00a0__Host-countersign=${token}`],
      ["in quotes", (token) => `__Host-countersign="${token}"`],
      ["at the end of a long header", (token) => `pad=${"x".repeat(9000)}; __Host-countersign=${token}`]
    ] as ReadonlyArray<readonly [string, (token: string) => string]>
  ).map(
    ([where, cookie]): Trick => ({
      name: `with the session ${where}`,
      headers: { cookie: undefined },
      sent: (genuine, token) => ({ ...genuine, headers: { ...genuine.headers, cookie: cookie(token) } })
    })
  )
]

const changed = (headers: Headers, change: Trick["headers"] = {}): Headers =>
  Object.fromEntries(
    Object.entries({ ...headers, ...change }).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )

describe("a cross-site request with a session cookie", () => {
  let world: World
  let token: string
  let key: Headers
  let replies = 0
  beforeAll(async () => {
    world = await openWorld()
    const merchant = await world.merchant()
    key = merchant.live
    token = await merchant.signIn(await merchant.agent("OWNER"))
    await world.must({
      method: "POST",
      path: "/v1/dashboard/saved-replies",
      headers: key,
      body: { name: "a", text: "b" }
    })
    await world.must({ method: "POST", path: "/v1/dashboard/leads", headers: key, body: { phone: "+919876543210" } })
  })
  afterAll(() => world.close())

  /** Everything that the requests below could change. */
  const state = async () => {
    const paths = ["settings", "saved-replies", "leads/1", "leads/1/history", "keys", "agents"]
    const read = paths.map((path) => world.must({ method: "GET", path: `/v1/dashboard/${path}`, headers: key }))
    return (await Promise.all(read)).map(({ body }) =>
      JSON.stringify(body, (name, value) => (name === "lastUsedAt" ? null : value))
    )
  }

  /** One request of each kind: with a body, with an optional body, without a body. */
  const requests = async (): Promise<ReadonlyArray<Sent>> => {
    const { items } = (await world.must({ method: "GET", path: "/v1/dashboard/saved-replies", headers: key })).body
    return [
      { method: "PATCH", path: "/v1/dashboard/settings", body: { codeLength: 4 } },
      { method: "POST", path: "/v1/dashboard/saved-replies", body: { name: `reply ${++replies}`, text: "d" } },
      { method: "POST", path: "/v1/dashboard/keys", body: { type: "SERVER" } },
      { method: "POST", path: "/v1/whatsapp/leads/1/assign" },
      { method: "POST", path: "/v1/dashboard/leads/1/close" },
      { method: "DELETE", path: `/v1/dashboard/saved-replies/${items[0].id}` }
    ]
  }

  const withPage = (sent: Sent): Sent => ({
    ...sent,
    headers: { ...world.page(token), ...(sent.body === undefined ? {} : { "content-type": "application/json" }) }
  })

  const perform = ({ headers, sent = (genuine) => genuine }: Trick, genuine: Sent): Promise<Answer> => {
    const page = withPage(genuine)
    return world.send(sent({ ...page, headers: changed(page.headers!, headers) }, token))
  }

  it("changes nothing, unless a page of the dashboard sent it", async () => {
    assert.isAtLeast(tricks.length, 60)
    const before = await state()
    const wrong: Array<string> = []
    for (const trick of tricks) {
      for (const genuine of await requests()) {
        const answer = await perform(trick, genuine)
        const refused = [400, 401, 403, 405].includes(answer.status)
        if (!refused && !(trick.mayRead === true && answer.status === 200))
          wrong.push(`${genuine.method} ${genuine.path} ${trick.name}: ${answer.status} ${answer.text}`)
      }
    }
    assert.deepStrictEqual(wrong, [])
    assert.deepStrictEqual(await state(), before)
  })

  it("is answered with what a dashboard request needs", async () => {
    const answer = await perform({ name: "", headers: { origin: "https://evil.example" } }, (await requests())[0]!)
    assert.strictEqual(answer.body.errorCode, "FORBIDDEN")
    assert.include(answer.body.message, origin)
  })

  it("is not answered for reads either if the browser says that another site sent it", async () => {
    const path = "/v1/dashboard/leads"
    const read = (headers: Trick["headers"]) =>
      world.send({ method: "GET", path, headers: changed(world.page(token), { origin: undefined, ...headers }) })
    for (const site of ["cross-site", "same-site"])
      assert.strictEqual((await read({ "sec-fetch-site": site })).status, 403)
    assert.strictEqual((await read({ origin: "https://evil.example" })).status, 403)
    for (const site of ["same-origin", "none", undefined])
      assert.strictEqual((await read({ "sec-fetch-site": site })).status, 200)
  })

  it("cannot sign in from another page", async () => {
    for (const { method, needs, path } of contract) {
      if (needs.credential !== "signIn") continue
      for (const { headers, name } of tricks.filter((trick) => trick.sent === undefined)) {
        const page = { origin, "sec-fetch-site": "same-origin", "content-type": "application/json" }
        const answer = await world.send({ method, path, headers: changed(page, headers), body: "{}" })
        assert.oneOf(answer.status, [400, 403], `${path} ${name}`)
        if (headers?.["content-type"] === undefined) assert.strictEqual(answer.status, 403, `${path} ${name}`)
      }
    }
  })

  it("is carried out from a dashboard page, also in an old browser that sends only Origin", async () => {
    for (const site of ["same-origin", undefined]) {
      for (const genuine of await requests()) {
        const answer = await perform({ name: "", headers: { "sec-fetch-site": site } }, genuine)
        assert.oneOf(answer.status, [200, 201, 204], `${genuine.method} ${genuine.path}: ${answer.text}`)
      }
      await world.must({
        method: "POST",
        path: "/v1/dashboard/saved-replies",
        headers: key,
        body: { name: `reply ${++replies}`, text: "f" }
      })
    }
    const { body } = await world.must({ method: "GET", path: "/v1/dashboard/settings", headers: key })
    assert.strictEqual(body.codeLength, 4)
  })
})
