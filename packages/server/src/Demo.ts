import { Keyring, Merchants } from "@countersign/core"
import { Context, Effect, Redacted } from "effect"
import { existsSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { isClone } from "./Assets.ts"
import type { Mount } from "./HttpServer.ts"
import { isForDeveloper, refusal } from "./Loopback.ts"
import type { Stage } from "./Stage.ts"

const prefix = "/demo"

/** Simulates a phone with the Truecaller app. Resolves with the code that Truecaller's SDK would return. */
export type PlayTruecaller = (consent: {
  readonly phone: string
  readonly codeChallenge: string
  readonly state: string
}) => Promise<string>

/** Simulates Truecaller for the demo. `play` is undefined without `--simulate`. */
export class Truecaller extends Context.Service<Truecaller, { readonly play: PlayTruecaller | undefined }>()(
  "@countersign/server/Demo/Truecaller"
) {}

/** The exports of the example application that the demo uses. A published server does not contain the example. */
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
  // For loopback addresses the service accepts any port.
  redirectUris: ["localhost", "127.0.0.1", "[::1]"].map((host) => `http://${host}${prefix}/back`),
  // People try a demo many times an hour.
  hourlyLimit: 100,
  sdkInitiatesPerIpPerHour: 1000
} as const

/** Keys derived from the master secret, so they survive restarts without being stored. */
const keysOf = (bytes: Uint8Array) => {
  const part = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString("hex")
  return {
    clientId: `cs_live_demo_${part(0, 8)}`,
    clientSecret: Redacted.make(`sk_live_${part(8, 40)}`),
    publicKey: `pk_live_demo_${part(40, 48)}`
  }
}

/** The URL of this server from the same machine. */
const addressOf = ({ socket: { localAddress = "127.0.0.1", localPort } }: IncomingMessage) =>
  `http://${localAddress.includes(":") ? `[${localAddress}]` : localAddress}:${localPort}`

/** Creates the demo merchant on first use. */
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

/** Whether the demo exists: only in a clone, and only in development. */
export const isThere = (stage: Stage): boolean => isClone && stage !== "REAL" && existsSync(example)

/**
 * Mounts the demo login, only in a clone and in development. The demo has its own merchant and keys, and calls this
 * server over HTTP like any client. It is loaded with its first request.
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
        process.stderr.write(`The demo failed to start: ${String(error)}\n`)
        response.writeHead(500).end()
      }
    )
  }
  const mounted: Mount = { prefix, handler }
  return mounted
})
