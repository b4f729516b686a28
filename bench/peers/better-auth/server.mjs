// better-auth in a bare node:http server, with one of its plugins for one-time codes. DATABASE_URL, PORT, PLUGIN.
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { toNodeHandler } from "better-auth/node"
import { emailOTP, phoneNumber } from "better-auth/plugins"
import { createServer } from "node:http"
import pg from "pg"

const { DATABASE_URL, PLUGIN, PORT } = process.env

/** The message: the code goes to the benchmark, which enters it. */
const deliver = (identity, code) => void process.send({ report: { identity, code } })

const plugins = {
  phone: () =>
    phoneNumber({
      sendOTP: ({ code, phoneNumber }) => deliver(phoneNumber, code),
      signUpOnVerification: { getTempEmail: (number) => `${number.slice(1)}@phone.example` }
    }),
  email: () => emailOTP({ sendVerificationOTP: async ({ email, otp }) => deliver(email, otp) })
}

const auth = betterAuth({
  baseURL: `http://localhost:${PORT}`,
  secret: "0".repeat(64),
  database: new pg.Pool({ connectionString: DATABASE_URL }),
  rateLimit: { enabled: false },
  plugins: [plugins[PLUGIN]()]
})
await (await getMigrations(auth.options)).runMigrations()

/** `consumePhoneNumberOTP` has no route of its own: it checks a code without a user and a session. */
const consume = async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const answer = JSON.stringify(await auth.api.consumePhoneNumberOTP({ body: JSON.parse(Buffer.concat(chunks)) }))
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) })
  response.end(answer)
}

const handle = toNodeHandler(auth)
createServer((request, response) => {
  const answered = request.url === "/consume" ? consume(request, response) : handle(request, response)
  answered.catch((error) => {
    console.error(error)
    response.writeHead(500).end()
  })
}).listen(Number(PORT), "127.0.0.1", () => console.log("ready at", PORT))
