import type { Channel } from "@countersign/core/channel"
import type { Twilio } from "@countersign/twilio"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { createHash } from "node:crypto"
import type { IncomingHttpHeaders, ServerResponse } from "node:http"
import { stringify, parse } from "node:querystring"
import { errorTable } from "../src/ErrorTable.ts"
import { answer, answering } from "./fixtures/answering.ts"
import { believes, choices, clientAt, type Params, signatureOf } from "./fixtures/oracle.ts"
import {
  accountSid,
  authToken,
  callbackOf,
  callbackUrl,
  channel,
  form,
  from,
  message,
  messagingServiceSid,
  plain,
  rcsSender,
  request,
  sid
} from "./fixtures/world.ts"

/** The intended differences from Twilio's own client. Any other difference is an error of the adapter. */
const differences = {
  headers: {
    "accept-charset": "names UTF-8, which JSON is anyway",
    "accept-encoding": "is the choice of what sends: ours unpacks no more than an answer may have, packed or not",
    "accept-language": "is fetch's own",
    connection: "is the choice of what sends",
    "content-length": "comes from the body, which is compared",
    "sec-fetch-mode": "is fetch's own",
    "user-agent": "names who asks"
  },
  codes: "a code has five digits or six; anything else is mapped by the status",
  taken: "an answer of success without a message's sid tells nothing; Twilio's client makes a message without one",
  limits: "a request is made once, and core decides about the next; Twilio's client can repeat what met a limit",
  hash: "the hash of a body is in a parameter of that name; Twilio's client looks for the word anywhere in the address",
  empty: "an empty body has its own hash; Twilio's client takes it for {}"
}

interface Asked {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const keeping =
  (kept: Array<Asked>, next: (response: ServerResponse) => void) => (response: ServerResponse, body: string) => {
    const { headers, method, url } = response.req
    kept.push({ method, path: url, headers, body })
    next(response)
  }

/** The parts that both must share. The order of fields does not matter. */
const common = ({ body, headers, method, path }: Asked) => ({
  method,
  path,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !Object.hasOwn(differences.headers, name))),
  fields: body.split("&").sort()
})

const taken = answer(201, JSON.stringify({ sid }))

const letters = ["a", "Z", "0", " ", "  ", "\n", "\r\n", "+", "&", "=", "%", "%20", "#", "?", "'", "(", ")", "*", "!"]
const words = [
  ...letters,
  "~",
  "-._",
  "/",
  '"',
  "<",
  "\\",
  "é",
  "e\u0301",
  "नमस्ते",
  "漢字",
  "👋",
  "👨‍👩‍👧",
  "\u{1f600}",
  "\ufffd",
  "\u0000"
]
/** UTF-8 cannot encode a lone surrogate. */
const halves = ["\ud83d", "\ude00"]

describe("the adapter and Twilio's own client", () => {
  it.live("send the same request for the same message", () =>
    Effect.gen(function* () {
      const { below, of, some } = choices(1)
      const kept: Array<Asked> = []
      const server = yield* answering(keeping(kept, taken))
      const client = clientAt(server.url)
      for (let n = 0; n < 200; n++) {
        const sender = of<Partial<Twilio.Options>>([
          { from },
          { messagingServiceSid },
          { rcsSender },
          { from: "Acme & Co" }
        ])
        const retention = {
          ...(below(2) === 0 ? {} : { contentRetention: of(["retain", "discard"] as const) }),
          ...(below(2) === 0 ? {} : { addressRetention: of(["retain", "obfuscate"] as const) }),
          ...(below(2) === 0 ? {} : { riskCheck: of(["enable", "disable"] as const) })
        }
        const publicUrl = of([undefined, "https://verify.example.com", "https://verify.example.com:8443/base/"])
        const text = `${some(30, () => of([...words, ...halves])).join("")}.`
        const to = `+9198${String(below(1e8)).padStart(8, "0")}`
        const reference = `env_${below(1e9)}.${of(words)}`
        const validForSeconds = 5 + below(35_000)
        const header = sender.rcsSender === undefined && below(4) === 0 ? "ACMEIN" : undefined
        const ours = yield* channel(server.url, { ...sender, ...retention, publicUrl })
        const options = header === undefined ? {} : { header }
        yield* ours.send(message({ text, to, reference, validForSeconds, options }))
        const base = publicUrl?.replace(/\/$/, "")
        yield* Effect.promise(() =>
          client.messages.create({
            to: sender.rcsSender === undefined ? to : `rcs:${to}`,
            ...(header !== undefined
              ? { from: header }
              : sender.rcsSender === undefined
                ? sender
                : { from: sender.rcsSender }),
            body: text,
            validityPeriod: validForSeconds,
            ...(base === undefined
              ? {}
              : { statusCallback: `${base}/v1/callbacks/twilio?ref=${encodeURIComponent(reference)}#rc=5&rp=all` }),
            ...retention
          })
        )
        const [mine, theirs, ...more] = kept.splice(0).map(common)
        assert.deepStrictEqual(mine, theirs, `case ${n}`)
        assert.lengthOf(more, 0)
        assert.deepInclude(mine, { method: "POST", path: `/2010-04-01/Accounts/${accountSid}/Messages.json` })
        assert.sameMembers(Object.keys(mine?.headers ?? {}), ["accept", "authorization", "content-type", "host"])
      }
    })
  )

  it.live(`read the same answer alike, and ${differences.limits}`, () =>
    Effect.gen(function* () {
      const { below, of } = choices(2)
      const unknown = [10_001, 29_999, 199_999]
      for (let n = 0; n < 250; n++) {
        const status = of([200, 201, 302, 400, 401, 403, 404, 408, 409, 422, 429, 429, 500, 502, 503, 504])
        const put = of<unknown>([of([...errorTable.keys()]), of(unknown), String(of(unknown)), null, undefined])
        const said = of([
          JSON.stringify({ code: put, message: "no", more_info: "https://www.twilio.com/docs/errors", status }),
          JSON.stringify({ type: "t", title: "no", code: put, status, detail: "no" }),
          JSON.stringify({ message: "no" }),
          "<html>no</html>",
          "",
          "null",
          "[]",
          '"no"'
        ])
        const isYes = status < 300
        const text = isYes ? JSON.stringify({ sid: `SM${String(below(1e9)).padStart(32, "0")}`, code: put }) : said
        const headers = { "content-type": of(["application/json", "text/html"]), location: "/elsewhere" }
        const server = yield* answering(answer(status, text, headers))
        const reached = yield* Effect.exit(Effect.tryPromise(() => clientAt(server.url).messages.create({ to: "+1" })))
        const theirs = yield* server.asked
        const ours = yield* heard(yield* channel(server.url))
        const where = `${status} ${text}`
        assert.strictEqual((yield* server.asked) - theirs, 1, where)
        assert.strictEqual(theirs, status === 429 ? 2 : 1, where)
        if (Exit.isSuccess(reached)) {
          assert.deepStrictEqual(ours, { _tag: "Sent", providerId: reached.value.sid }, where)
          continue
        }
        const error = errorOf(reached)
        const code = typeof error.code === "number" || typeof error.code === "string" ? String(error.code) : null
        assert.strictEqual(error.status, status, where)
        assert.strictEqual(ours.providerCode, code ?? `http_${status}`, where)
        if (code !== null && errorTable.has(Number(code))) continue
        // Twilio's client retries the answers that the adapter calls rate limits.
        assert.strictEqual(ours._tag === "Unavailable" && ours.because === "limit", theirs > 1, where)
      }
    })
  )

  it.live("use the same field names", () =>
    Effect.gen(function* () {
      const mute = yield* answering((response) => void response.destroy())
      const gone = yield* Effect.scoped(answering(taken))
      for (const { url } of [mute, gone]) {
        const { code } = errorOf(
          yield* Effect.exit(Effect.tryPromise(() => clientAt(url).messages.create({ to: "+1" })))
        )
        assert.strictEqual((yield* heard(yield* channel(url))).providerCode, code)
      }
    })
  )

  it.effect("accept the same signatures, and no others", () =>
    Effect.gen(function* () {
      const { below, of, some } = choices(3)
      const { receive } = callbackOf(yield* channel("http://127.0.0.1:1"))
      const believed = { yes: 0, no: 0 }
      for (let n = 0; n < 600; n++) {
        const scheme = of(["https", "https", "http", "HTTPS"])
        const host = of([
          "a.example",
          "A.example",
          "[::1]",
          "127.0.0.1",
          "bücher.example",
          "u:p@a.example",
          "u@b@a.example"
        ])
        const port = of(["", "", ":443", ":80", ":8443", ":"])
        const path = of(["", "/", "/x", "/it's", "/a%20b", "/a b", "/ü", "//x/../y", "/x;y=1", "/x:80"])
        const query = of([
          "",
          "?",
          "?q",
          "?q=",
          "?q=a+b",
          "?q=a%20b&q=c",
          "?q=it's",
          "?q=ü&b",
          "?a=1&a=1&b=%27",
          "?a=b?c:80@d"
        ])
        const isJson = below(5) === 0
        const names = ["MessageSid", "messagesid", "Body", "ü", "👋", "\ufffd", "a=b", "a&b", " ", "constructor"]
        const pairs = isJson ? [] : some(8, () => [of(names), some(3, () => of(words)).join("")] as const)
        const body = isJson ? JSON.stringify({ Body: some(3, () => of(words)) }) : form(pairs)
        const hash = createHash("sha256").update(body).digest("hex")
        const hashed = `bodySHA256=${below(4) === 0 ? hash.replace(/./, (digit) => (digit === "0" ? "1" : "0")) : hash}`
        const url = `${scheme}://${host}${port}${path}${query}${isJson ? `${query === "" ? "?" : "&"}${hashed}` : ""}`
        const params = paramsOf(pairs)
        const signed = below(6) === 0 ? paramsOf([...pairs].reverse().slice(1)) : params
        const token = below(8) === 0 ? "another_token" : authToken
        const right = signatureOf(token, of(spellings(url)), signed)
        const signature = below(12) === 0 ? of([right.toLowerCase(), right.slice(1), `${right}=`, ""]) : right
        const expected = believes(url, signature, params, body)
        const exit = yield* Effect.exit(receive(request(url, body, { "x-twilio-signature": signature })))
        assert.strictEqual(Exit.isSuccess(exit), expected, `case ${n}: ${url} ${body} ${signature}`)
        believed[expected ? "yes" : "no"]++
      }
      assert.isAbove(Math.min(believed.yes, believed.no), 100, JSON.stringify(believed))
    })
  )
})

describe("the adapter, unlike Twilio's own client", () => {
  it.live(differences.codes, () =>
    Effect.gen(function* () {
      for (const code of [0, 7, 9_999, 1_234_567, -20_404, 20_404.5, "+919812345678", {}, true]) {
        const server = yield* answering(answer(400, JSON.stringify({ code })))
        const error = errorOf(
          yield* Effect.exit(Effect.tryPromise(() => clientAt(server.url).messages.create({ to: "+1" })))
        )
        assert.deepStrictEqual(error.code, code)
        assert.strictEqual((yield* heard(yield* channel(server.url))).providerCode, "http_400")
      }
    })
  )

  it.live(differences.taken, () =>
    Effect.gen(function* () {
      const server = yield* answering(answer(201, "{}"))
      const made = yield* Effect.promise(() => clientAt(server.url).messages.create({ to: "+1" }))
      assert.isUndefined(made.sid)
      assert.deepInclude(yield* heard(yield* channel(server.url)), { _tag: "OutcomeUnknown" })
    })
  )

  it.effect(`${differences.hash}; ${differences.empty}`, () =>
    Effect.gen(function* () {
      const { receive } = callbackOf(yield* channel("http://127.0.0.1:1"))
      const hash = (body: string) => createHash("sha256").update(body).digest("hex")
      const rows: ReadonlyArray<readonly [url: string, body: string, theirs: boolean, ours: boolean]> = [
        [`${callbackUrl}?ref=bodySHA256`, "", false, true],
        [`${callbackUrl}?bodySHA256=${hash("")}`, "", false, true],
        [`${callbackUrl}?bodySHA256=${hash("{}")}`, "", true, false]
      ]
      for (const [url, body, theirs, ours] of rows) {
        const signature = signatureOf(authToken, url, {})
        const exit = yield* Effect.exit(receive(request(url, body, { "x-twilio-signature": signature })))
        assert.deepStrictEqual([believes(url, signature, {}, body), Exit.isSuccess(exit)], [theirs, ours], url)
      }
    })
  )
})

/** The outcome of a send as plain data. */
const heard = ({ send }: Channel) =>
  Effect.map(
    Effect.match(send(message()), {
      onSuccess: ({ providerId }) => ({ _tag: "Sent", providerId }),
      onFailure: ({ reason }) => plain(reason)
    }),
    (outcome) => outcome as Readonly<Record<string, unknown>>
  )

/** The error of Twilio's client. */
const errorOf = (exit: Exit.Exit<unknown, unknown>): { readonly status?: unknown; readonly code?: unknown } => {
  const [reason] = Exit.isFailure(exit) ? exit.cause.reasons : []
  return reason?._tag === "Fail" ? (reason.error as { readonly cause: object }).cause : assert.fail("it did not fail")
}

const paramsOf = (pairs: ReadonlyArray<readonly [name: string, value: string]>): Params =>
  Object.fromEntries(
    [...Map.groupBy(pairs, ([name]) => name)].map(([name, all]) => {
      const values = all.map(([, value]) => value)
      return [name, values.length === 1 ? values[0]! : values]
    })
  )

/** Spellings of the called URL that may have been signed; some denote another URL. */
const spellings = (url: string): ReadonlyArray<string> => {
  const { href } = new URL(url)
  const port = (text: string, wanted: string) =>
    text.replace(/^([a-z]+:\/\/(?:[^/?#]*@)?(?:\[[^\]]*\]|[^:/?#]*))(?::\d*)?/i, `$1${wanted}`)
  const rewritten = (text: string) => {
    const at = text.indexOf("?")
    if (at === -1) return text
    const query: { readonly [name: string]: string | Array<string> | undefined } = parse(text.slice(at + 1))
    return `${text.slice(0, at)}?${stringify(query)}`
  }
  const usual = url.toLowerCase().startsWith("https") ? ":443" : ":80"
  const spelled = [url, href, rewritten(href)]
  const other = [port(url, ":8443"), port(url, ":8080"), url.replace(/^https?/i, "ftp"), `${url}x`, rewritten(url)]
  return [...spelled, ...spelled.map((each) => port(each, "")), ...spelled.map((each) => port(each, usual)), ...other]
}
