import { readFile, stat } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { extname, join, normalize } from "node:path"

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml"
}

const isFile = (file: string) =>
  stat(file).then(
    (it) => it.isFile(),
    () => false
  )

/** The built site under its path, on a port of this machine. As on most hosts, a page is also found without its `.html`. */
export const served = async (out: string, base: string, port = 0) => {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost")
    const inside = normalize(`/${decodeURIComponent(pathname.startsWith(base) ? pathname.slice(base.length) : "none")}`)
    const file = join(out, inside.endsWith("/") ? `${inside}index.html` : inside)
    void isFile(file)
      .then((is) => readFile(is ? file : `${file}.html`))
      .then((body) =>
        response.writeHead(200, { "content-type": types[extname(file) || ".html"] ?? "text/plain" }).end(body)
      )
      .catch(() => response.writeHead(404).end())
  })
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
