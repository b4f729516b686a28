import { Keyring, Merchants } from "@countersign/core"
import { Context, Effect, Redacted } from "effect"
import { existsSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { isClone } from "./Assets.ts"
import type { Mount } from "./HttpServer.ts"
import { isForDeveloper, refusal } from "./Loopback.ts"
import type { Stage } from "./Stage.ts"

const prefix = "/demo"

/** A phone with Truecaller's app, played: it answers the code that Truecaller's SDK would give. */
export type PlayTruecaller = (consent: {
  readonly phone: string
  readonly codeChallenge: string
  readonly state: string
}) => Promise<string>

/** Who plays Truecaller for the demo: undefined where nobody does. */
export class Truecaller extends Context.Service<Truecaller, { readonly play: PlayTruecaller | undefined }>()(
  "@countersign/server/Demo/Truecaller"
) {}

/** What we need of the example application; it is a program of its own, and no part of a published server. */
interface Example {
  readonly makeLogin: (options: {
    readonly service: { readonly url: string; readonly clientId: string; readonly clientSecret: string }
    readonly browserUrl: string | null
    readonly publicKey: string
    readonly path: string
    readonly outboxUrl: string
    readonly playTruecaller: PlayTruecaller | undefined
  }) => (request: Request) => Promise<Response>
  readonly listener: (
    handle: (request: Request) => Promise<Response>
  ) => (request: IncomingMessage, response: ServerResponse) => void
}

const example = new URL("../../../examples/login/src/mount.ts", import.meta.url)

const settings = {
  oneTap: true,
  strictReverify: true,
  primaryChannel: "WHATSAPP",
  fallbackChannel: "SMS",
  fallbackAfterSeconds: 30,
  resendCooldownSeconds: 15,
  linkNumberMatch: true,
  // Of loopback, so any port will do.
  redirectUris: ["localhost", "127.0.0.1", "[::1]"].map((host) => `http://${host}${prefix}/back`),
  // A demo is tried again and again.
  hourlyLimit: 100,
  sdkInitiatesPerIpPerHour: 1000
} as const

/** Keys that stay the same over restarts, and need not be kept anywhere. */
const keysOf = (bytes: Uint8Array) => {
  const part = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString("hex")
  return {
    clientId: `cs_live_demo_${part(0, 8)}`,
    clientSecret: Redacted.make(`sk_live_${part(8, 40)}`),
    publicKey: `pk_live_demo_${part(40, 48)}`
  }
}

/** Where this server is reached from this machine. */
const addressOf = ({ socket: { localAddress = "127.0.0.1", localPort } }: IncomingMessage) =>
  `http://${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`

/** The merchant of the demo, made when it is first needed. */
const merchant = Effect.gen(function* () {
  const merchants = yield* Merchants
  const { current } = yield* Keyring
  const live = keysOf(current.derive("demo-keys", 48))
  yield* merchants.ensure("Demo", { live, test: null })
  yield* merchants.changeSettings(yield* merchants.callerOf(live.clientId), settings)
  return live
})

const load = Effect.fnUntraced(function* (url: string) {
  const { play } = yield* Truecaller
  const { makeLogin, listener } = yield* Effect.promise((): Promise<Example> => import(example.href))
  const { clientId, clientSecret, publicKey } = yield* merchant
  return listener(
    makeLogin({
      service: { url, clientId, clientSecret: Redacted.value(clientSecret) },
      browserUrl: null,
      publicKey,
      path: `${prefix}/`,
      outboxUrl: "/dev/outbox",
      playTruecaller: play
    })
  )
})

/** Whether there is a demo: from a clone, and in development only. */
export const isThere = (stage: Stage): boolean => isClone && stage !== "REAL" && existsSync(example)

/**
 * A login to try, from a clone and in development only. It is a client like any other: it has a merchant and
 * keys of its own, and calls this server over HTTP. Nothing of it is loaded or made before somebody asks for it.
 */
export const mount = Effect.fnUntraced(function* (stage: Stage) {
  if (!isThere(stage)) return undefined
  const context = yield* Effect.context<Merchants | Keyring | Truecaller>()
  const run = Effect.runPromiseWith(context)
  let loaded: Promise<(request: IncomingMessage, response: ServerResponse) => void> | undefined
  const handler = (request: IncomingMessage, response: ServerResponse) => {
    if (!isForDeveloper(request)) {
      response.writeHead(403, { "content-type": "application/json" }).end(JSON.stringify(refusal))
      return
    }
    loaded ??= run(load(addressOf(request)))
    loaded.then(
      (handle) => handle(request, response),
      (error: unknown) => {
        loaded = undefined
        process.stderr.write(`The demo could not be started: ${String(error)}\n`)
        response.writeHead(500).end()
      }
    )
  }
  const mounted: Mount = { prefix, handler }
  return mounted
})
