import { Effect, type Scope } from "effect"
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** What a browser's `PushSubscription` contains. */
export interface Subscription {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** A push message as the browser reads it. */
export interface Pushed {
  readonly endpoint: string
  readonly text: string
  readonly topic: string | undefined
  readonly ttlSeconds: number
  readonly urgency: string | undefined
  /** The subject of the sender's token. */
  readonly subject: string | undefined
}

/** A push service with its browsers, on this machine. */
export interface PushService {
  readonly url: string
  /** A new browser that accepts messages of the sender with this public key. */
  readonly subscribe: (senderKey: string) => Subscription
  /** Every accepted message, oldest first. */
  readonly pushed: () => ReadonlyArray<Pushed>
  /** The number of requests, with refused ones. */
  readonly requests: () => number
  /** Answers this status from now on, for one endpoint or for all; null for its own answers. */
  readonly play: (status: number | null, endpoint?: string) => void
  /** The browser ends its subscription: the service answers 410. */
  readonly unsubscribe: (endpoint: string) => void
}

interface Browser {
  readonly senderKey: string
  readonly ecdh: ECDH
  readonly auth: Buffer
}

const derive = (secret: Buffer, salt: Buffer, info: Buffer | string, length: number) =>
  Buffer.from(hkdfSync("sha256", secret, salt, info, length))

/** Decrypts RFC 8291 content of one record. Written apart from the sender, so that both can be wrong only separately. */
const decrypt = (body: Buffer, { auth, ecdh }: Browser): string => {
  const salt = body.subarray(0, 16)
  const keyEnd = 21 + body.readUInt8(20)
  const theirs = body.subarray(21, keyEnd)
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), theirs])
  const secret = derive(ecdh.computeSecret(theirs), auth, info, 32)
  const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16)
  const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12)
  const record = body.subarray(keyEnd)
  if (record.length > body.readUInt32BE(16)) throw new Error("more than one record")
  const decipher = createDecipheriv("aes-128-gcm", key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const plain = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  const end = plain.lastIndexOf(2)
  if (end === -1 || plain.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("no delimiter")
  return plain.subarray(0, end).toString("utf8")
}

/** The claims of a valid token for this origin (RFC 8292); null when the push service must refuse. */
const claimsOf = (header: string | undefined, origin: string, senderKey: string) => {
  const [, token = "", point = ""] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(header ?? "") ?? []
  const [head = "", body = "", signature = ""] = token.split(".")
  if (point !== senderKey) return null
  const bytes = Buffer.from(point, "base64url")
  const coordinate = (from: number) => bytes.subarray(from, from + 32).toString("base64url")
  const key = createPublicKey({
    key: { kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) },
    format: "jwk"
  })
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${body}`),
    { key, dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url")
  )
  const claims = JSON.parse(Buffer.from(body, "base64url").toString()) as {
    readonly aud: string
    readonly exp: number
    readonly sub?: string
  }
  return isSigned && claims.aud === origin ? claims : null
}

const read = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/**
 * Starts a push service that decrypts what it receives. It refuses a wrong sender, a message that its browser cannot
 * read, and a missing TTL, as real ones do.
 */
export const start: Effect.Effect<PushService, never, Scope.Scope> = Effect.gen(function* () {
  const browsers = new Map<string, Browser | null>()
  const played = new Map<string | undefined, number>()
  const pushed: Array<Pushed> = []
  let url = ""
  let requests = 0

  const statusOf = (request: IncomingMessage, body: Buffer): number => {
    const { authorization, topic, ttl, urgency } = request.headers
    const endpoint = `${url}${request.url ?? ""}`
    const status = played.get(endpoint) ?? played.get(undefined)
    if (status !== undefined) return status
    const browser = browsers.get(endpoint)
    if (browser === undefined) return 404
    if (browser === null) return 410
    if (request.headers["content-encoding"] !== "aes128gcm" || ttl === undefined) return 400
    if (topic !== undefined && !/^[\w-]{1,32}$/.test(String(topic))) return 400
    const claims = claimsOf(authorization, url, browser.senderKey)
    if (claims === null) return 403
    pushed.push({
      endpoint,
      text: decrypt(body, browser),
      topic: topic?.toString(),
      ttlSeconds: Number(ttl),
      urgency: urgency?.toString(),
      subject: claims.sub
    })
    return 201
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await read(request)
    requests++
    let status = 400
    try {
      status = statusOf(request, body)
    } catch {
      // A message that the browser cannot read.
    }
    response.writeHead(status).end()
  }

  const server = yield* Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer((request, response) => void answer(request, response))
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    subscribe: (senderKey) => {
      const ecdh = createECDH("prime256v1")
      ecdh.generateKeys()
      const auth = randomBytes(16)
      const endpoint = `${url}/push/${randomBytes(24).toString("base64url")}`
      browsers.set(endpoint, { senderKey, ecdh, auth })
      return {
        endpoint,
        keys: { p256dh: ecdh.getPublicKey("base64url"), auth: auth.toString("base64url") }
      }
    },
    pushed: () => [...pushed],
    requests: () => requests,
    play: (status, endpoint) => {
      if (status === null) played.delete(endpoint)
      else played.set(endpoint, status)
    },
    unsubscribe: (endpoint) => void browsers.set(endpoint, null)
  }
})
