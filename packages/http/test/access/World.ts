import { randomUUID } from "node:crypto"
import { Core, Identifier, type Role, SecretHash } from "@countersign/core"
import { MemoryStorage } from "@countersign/core/memory"
import { StaffStore } from "@countersign/core/storage"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { Dispatcher, WebHandler } from "../../src/index.ts"

export const origin = "https://verify.example.com"
export const adminToken = "admin-0123456789abcdef0123456789abcdef"
export const previousAdminToken = "admin-of-before-0123456789abcdef"

export type Headers = { readonly [name: string]: string }

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Headers
  /** Sent as JSON, unless it is a string, whose type the headers give. A stream is JSON that arrives in pieces. */
  readonly body?: unknown
}

export interface Answer {
  readonly status: number
  readonly headers: globalThis.Headers
  readonly text: string
  readonly body: any
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const minute = 60_000

/** The whole service on memory storage, behind the handler for `Request`. A request takes 0.1 ms. */
export const openWorld = async (
  publicUrl: string | undefined = origin,
  options: Pick<Core.Options, "billedBy"> = {}
) => {
  const runtime = ManagedRuntime.make(
    Dispatcher.layer({
      publicUrl,
      adminToken: Redacted.make(adminToken),
      previousAdminToken: Redacted.make(previousAdminToken)
    }).pipe(
      Layer.provideMerge(
        Core.layer({ ...options, secret: Redacted.make("0d".repeat(32)), publicUrl: origin, channels: [] })
      ),
      Layer.provideMerge(MemoryStorage.layer)
    )
  )
  const { handler, store } = await runtime.runPromise(
    Effect.gen(function* () {
      return { handler: yield* WebHandler.make(), store: yield* StaffStore }
    })
  )

  const send = async ({ body, headers = {}, method, path }: Sent): Promise<Answer> => {
    const answer = await handler(
      new Request(`${origin}${path}`, {
        method,
        headers: {
          ...(body === undefined || typeof body === "string" ? {} : { "content-type": "application/json" }),
          ...headers
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" || body instanceof ReadableStream ? body : JSON.stringify(body) }),
        duplex: "half"
      } as RequestInit)
    )
    // Event streams are cancelled: these tests only check who may open one.
    const isEndless = answer.headers.get("content-type") === "text/event-stream"
    if (isEndless) await answer.body?.cancel()
    const text = isEndless ? "" : await answer.text()
    return { status: answer.status, headers: answer.headers, text, body: parsed(text) }
  }

  const must = async (sent: Sent): Promise<Answer> => {
    const answer = await send(sent)
    if (answer.status >= 400) throw new Error(`${sent.method} ${sent.path}: ${answer.text}`)
    return answer
  }

  const admin = (method: string, path: string, body?: unknown) =>
    must({ method, path, body, headers: { authorization: `Bearer ${adminToken}` } })

  const keyHeaders = ({ clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string }) => ({
    "x-client-id": clientId,
    "x-client-secret": clientSecret
  })

  /** A new merchant with a key of all scopes in each environment. */
  const merchant = async () => {
    const { body } = await admin("POST", "/v1/admin/merchants", { name: `Shop ${randomUUID()}` })
    const [live, test] = [keyHeaders(body.live), keyHeaders(body.test)]
    const id: string = body.id
    const agent = async (role: Role): Promise<number> => {
      // A key cannot create an owner.
      const fields = {
        email: `${randomUUID()}@shop.example`,
        role: role === "OWNER" ? "ADMIN" : role,
        status: "ACTIVE"
      }
      const made = await must({ method: "POST", path: "/v1/dashboard/agents", headers: live, body: fields })
      const agentId: number = made.body.id
      if (role === "OWNER") {
        const raise = Effect.flatMap(store.membership(id, agentId), (membership) =>
          store.commit(StaffStore.change({ agents: [{ ...membership!.agent, role }] }))
        )
        await runtime.runPromise(raise)
      }
      return agentId
    }
    /** A new session of the agent, who signed in `ago` milliseconds ago. */
    const signIn = (agentId: number, { ago = 0, idle = 0 } = {}): Promise<string> =>
      runtime.runPromise(
        Effect.gen(function* () {
          const token = Identifier.randomText(52)
          const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
          const membership = yield* store.membership(id, agentId)
          const session = {
            merchantId: id,
            id: Identifier.make("ses", now),
            version: 0,
            agentId,
            era: membership?.agent.era ?? 0,
            hash: SecretHash.hash(token),
            method: "CODE",
            emailProven: true,
            reach: [],
            address: null,
            userAgent: null,
            signedInAt: now - ago,
            lastUsedAt: now - idle,
            endedAt: null
          } as const
          yield* store.commit(StaffStore.change({ sessions: [session] }))
          return token
        })
      )
    const key = async (scope: string) =>
      keyHeaders(
        (
          await must({
            method: "POST",
            path: "/v1/dashboard/keys",
            headers: live,
            body: { type: "SERVER", scopes: [scope] }
          })
        ).body
      )
    return { id, live, test, publicKey: body.live.publicKey as string, agent, signIn, key }
  }

  /** The headers of a dashboard page with a session and an environment. */
  const page = (token: string, more: Headers = {}): Headers => ({
    cookie: `__Host-countersign=${token}`,
    origin,
    "sec-fetch-site": "same-origin",
    "x-environment": "live",
    ...more
  })

  return { send, must, admin, merchant, page, close: () => runtime.dispose() }
}

export type World = Awaited<ReturnType<typeof openWorld>>
