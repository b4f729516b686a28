import { createServer, type IncomingMessage, request } from "node:http"
import type { AddressInfo } from "node:net"
import { Deferred, Effect, Layer, ManagedRuntime, Schedule, Stream } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { afterEach, assert, describe, it } from "vitest"
import { Dispatcher, HttpLayer, NodeHandler, WebHandler, type WireResponse } from "../src/index.ts"

const mebibyte = 1024 * 1024
const headers = { "content-type": "image/png" }

const dispatching = (body: WireResponse["body"]) =>
  Layer.succeed(
    Dispatcher,
    Dispatcher.of({ dispatch: () => Effect.succeed({ status: 200, headers, body }), serves: () => true })
  )

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Starts a Node server that answers with this body, and returns its port. */
const served = async (body: WireResponse["body"]): Promise<number> => {
  const server = createServer(await Effect.runPromise(Effect.provide(NodeHandler.make(), dispatching(body))))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  closing.push(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

const asked = (port: number, method = "GET"): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path: "/", method, agent: false }, resolve).on("error", reject).end()
  })

type Client = (body: WireResponse["body"], method?: string) => Promise<Response>

const clients: { readonly [name: string]: Client } = {
  node: async (body, method = "GET") => fetch(`http://127.0.0.1:${await served(body)}/`, { method }),
  web: async (body, method = "GET") => {
    const handler = await Effect.runPromise(Effect.provide(WebHandler.make(), dispatching(body)))
    return handler(new Request("http://localhost/", { method }))
  },
  router: async (body, method = "GET") => {
    const services = Layer.merge(dispatching(body), HttpServer.layerServices)
    const { dispose, handler } = HttpRouter.toWebHandler(HttpLayer.layer.pipe(Layer.provide(services)), {
      disableLogger: true
    })
    closing.push(dispose)
    return handler(new Request("http://localhost/", { method }))
  }
}

/** An endless body that reports its release. */
const endless = () => {
  const released = Deferred.makeUnsafe<void>()
  const body = Stream.concat(Stream.make(new Uint8Array(10)), Stream.never).pipe(
    Stream.ensuring(Deferred.succeed(released, undefined))
  )
  return { body, released: Effect.runPromise(Deferred.await(released)) }
}

/** A body that fails after its client has read the beginning. */
const breaking = () => {
  const read = Deferred.makeUnsafe<void>()
  const rest = Stream.fromEffect(Effect.andThen(Deferred.await(read), Effect.fail("the provider hung up")))
  return {
    body: Stream.concat(Stream.make(new Uint8Array(10)), rest),
    onRead: () => void Effect.runSync(Deferred.succeed(read, undefined))
  }
}

describe("a streamed response body", () => {
  for (const [name, client] of Object.entries(clients)) {
    it(`arrives complete: ${name}`, async () => {
      const chunks = Array.from({ length: 200 }, (_, i) => new Uint8Array(i * 37).fill(i))
      const answer = await client(Stream.fromIterable(chunks))
      assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [200, "image/png"])
      assert.deepStrictEqual(Buffer.from(await answer.arrayBuffer()), Buffer.concat(chunks))
    })

    it(`breaks the response if it fails, and never looks complete: ${name}`, async () => {
      const { body, onRead } = breaking()
      const reader = (await client(body)).body!.getReader()
      assert.strictEqual((await reader.read()).value?.length, 10)
      onRead()
      const outcome = await reader.read().then(
        ({ done }) => (done ? "ended" : "went on"),
        () => "broken"
      )
      assert.strictEqual(outcome, "broken")
    })

    it(`is released when its client disconnects: ${name}`, async () => {
      const { body, released } = endless()
      const reader = (await client(body)).body!.getReader()
      assert.strictEqual((await reader.read()).value?.length, 10)
      await reader.cancel()
      await released
    })

    it(`is released unread for a HEAD request: ${name}`, async () => {
      const { body, released } = endless()
      const answer = await client(body, "HEAD")
      assert.deepStrictEqual([answer.headers.get("content-type"), await answer.text()], ["image/png", ""])
      await released
    })
  }

  it("is produced no faster than its client reads", async () => {
    let made = 0
    const body = Stream.fromIterable(Array.from({ length: 128 }, () => new Uint8Array(mebibyte))).pipe(
      Stream.tap((chunk) => Effect.sync(() => void (made += chunk.length)))
    )
    const answer = await asked(await served(body))
    let read = 0
    let ahead = 0
    for await (const chunk of answer) {
      read += (chunk as Buffer).length
      ahead = Math.max(ahead, made - read)
    }
    assert.strictEqual(read, 128 * mebibyte)
    // The buffers of two sockets, and Node's own at each end.
    assert.isBelow(ahead, 64 * mebibyte)
  })

  it("closes a keep-alive connection if it fails", async () => {
    const { body, onRead } = breaking()
    const answer = await asked(await served(body))
    const closed = new Promise((resolve) => answer.socket.once("close", resolve))
    answer.on("error", () => {}).on("data", onRead)
    await closed
    assert.isFalse(answer.complete)
  })

  it("ends with the server's timeout for idle sockets on either side", async () => {
    const silent = endless()
    const unread = Deferred.makeUnsafe<void>()
    const large = Stream.repeat(Stream.make(new Uint8Array(mebibyte)), Schedule.forever).pipe(
      Stream.ensuring(Deferred.succeed(unread, undefined))
    )
    const bodies = [silent.body, large]
    const servers = await Promise.all(
      bodies.map(async (body) => {
        const handler = await Effect.runPromise(Effect.provide(NodeHandler.make(), dispatching(body)))
        const server = createServer(handler)
        server.setTimeout(200)
        await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
        closing.push(() => new Promise((resolve) => server.close(resolve)))
        return server.address() as AddressInfo
      })
    )
    const answers = await Promise.all(servers.map(({ port }) => asked(port)))
    for (const answer of answers) answer.on("error", () => {})
    await silent.released
    await Effect.runPromise(Deferred.await(unread))
    for (const answer of answers) answer.destroy()
  })

  it("is released if its client disconnected before the answer was ready", async () => {
    const { body, released } = endless()
    const arrived = Deferred.makeUnsafe<void>()
    const gone = Deferred.makeUnsafe<void>()
    const runtime = ManagedRuntime.make(
      Layer.succeed(
        Dispatcher,
        Dispatcher.of({
          serves: () => true,
          dispatch: () =>
            Deferred.succeed(arrived, undefined).pipe(
              Effect.andThen(Deferred.await(gone)),
              Effect.as({ status: 200, headers, body })
            )
        })
      )
    )
    closing.push(() => runtime.dispose())
    const handler = await runtime.runPromise(NodeHandler.make())
    const server = createServer((incoming, response) => {
      response.on("close", () => Effect.runSync(Deferred.succeed(gone, undefined)))
      handler(incoming, response)
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    closing.push(() => new Promise((resolve) => server.close(resolve)))
    const client = request({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, agent: false })
    client.on("error", () => {}).end()
    await Effect.runPromise(Deferred.await(arrived))
    client.destroy()
    await released
  })
})
