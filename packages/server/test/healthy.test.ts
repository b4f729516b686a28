import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, it } from "vitest"
import { addressOf, healthy } from "../src/healthy.ts"

it.each([
  [{}, "http://127.0.0.1:8080/readyz"],
  [{ HOST: "0.0.0.0", PORT: "9000" }, "http://127.0.0.1:9000/readyz"],
  [{ HOST: "::", PORT: "9000" }, "http://[::1]:9000/readyz"],
  [{ HOST: "10.0.0.7", PORT: "" }, "http://10.0.0.7:8080/readyz"],
  [{ HOST: "10.0.0.7", PORT: "9000", MANAGEMENT_PORT: "9001" }, "http://10.0.0.7:9000/readyz"]
])("countersign healthy requests the address that %o lead to", (environment, url) => {
  assert.strictEqual(addressOf(environment), url)
})

it("countersign healthy fails with one line if the server is not ready or not running", async () => {
  let status = 200
  const server = createServer((_, response) => response.writeHead(status).end("{}"))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const environment = { PORT: String((server.address() as AddressInfo).port) }
  const said = () => healthy(environment).then(() => "", String)
  assert.strictEqual(await said(), "")
  status = 503
  assert.match(await said(), /\/readyz answered 503$/)
  await new Promise((resolve) => server.close(resolve))
  assert.match(await said(), /ECONNREFUSED/)
})
