import { createServer } from "node:http"
import { listener } from "./listener.ts"
import { makeLogin } from "./login.ts"

const required = ["CS_URL", "CS_CLIENT_ID", "CS_CLIENT_SECRET", "CS_PUBLIC_KEY"]
const missing = required.filter((name) => (process.env[name] ?? "") === "")
if (missing.length > 0) {
  for (const name of missing) console.error(`${name} is required; examples/login/README.md says what it is`)
  process.exit(1)
}
const [url = "", clientId = "", clientSecret = "", publicKey = ""] = required.map((name) => process.env[name])

const login = makeLogin({ service: { url, clientId, clientSecret }, browserUrl: url, publicKey })
const port = Number(process.env["PORT"] ?? 3000)
createServer(listener(login)).listen(port, "127.0.0.1", () => console.log(`Sign in at http://localhost:${port}`))
