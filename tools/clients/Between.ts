import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** Stands between the examples and the server, and may change the idToken that verify answers. */
export interface Between {
  readonly url: string
  /** Where requests go. */
  to: string
  change: ((idToken: string) => string) | null
  readonly close: () => void
}

const bodyOf = async (request: IncomingMessage) => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

const carried = ["x-client-id", "x-client-secret", "content-type", "idempotency-key"]

export const between = async (): Promise<Between> => {
  const self = { to: "", change: null as Between["change"] }
  const server = createServer((request, response) => {
    const pass = async () => {
      const body = await bodyOf(request)
      const answer = await fetch(self.to + (request.url ?? ""), {
        method: request.method ?? "GET",
        headers: carried.flatMap((name): ReadonlyArray<[string, string]> => {
          const value = request.headers[name]
          return typeof value === "string" ? [[name, value]] : []
        }),
        ...(body.length === 0 ? {} : { body })
      })
      let text = await answer.text()
      if (self.change !== null && request.url === "/v1/auth/verify") {
        const said = JSON.parse(text) as { readonly idToken?: string | null }
        if (typeof said.idToken === "string") text = JSON.stringify({ ...said, idToken: self.change(said.idToken) })
      }
      response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(text)
    }
    void pass().catch(() => response.writeHead(502).end())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return Object.assign(self, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  })
}
