import { consoleChannel } from "countersign"
import { HttpLayer, inProcess, layer, Verifications } from "countersign/effect"
import { twilio } from "countersign/twilio"
import { Effect, Layer } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse as Answer } from "effect/http"
const { env } = process
const account = { accountSid: env.TWILIO_ACCOUNT_SID, authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM }
const services = layer({
  database: env.DATABASE_URL ?? "./data",
  secret: env.COUNTERSIGN_SECRET, // a directory stores its own
  channels: [env.NODE_ENV === "production" ? twilio(account) : consoleChannel()]
})
const safe = { httpOnly: true, sameSite: "lax", secure: env.NODE_ENV === "production" } as const
const set = (name: string, value: string) => Answer.setCookieUnsafe(Answer.empty(), name, value, safe)
const login = Effect.fnUntraced(function* (router: HttpRouter.HttpRouter) {
  const signedIn = new Map<string, string>() // stands in for your sessions
  const caller = yield* inProcess({
    settings: { defaultCountry: null, resendCooldownSeconds: 30, maxResends: 3 } // numbers with their country code, few messages
  })
  const { initiate, login: signIn } = yield* Verifications
  const start = Effect.fnUntraced(function* ({ json }: HttpServerRequest.HttpServerRequest) {
    const identity = String(Object(yield* Effect.orDie(json)).phone)
    const { verification } = yield* initiate(yield* caller, { identity, identityType: "MOBILE", mode: "OTP" })
    return set("login", verification.id)
  }, Effect.catch(HttpLayer.failed))
  const check = Effect.fnUntraced(function* ({ cookies, json }: HttpServerRequest.HttpServerRequest) {
    const otp = String(Object(yield* Effect.orDie(json)).code)
    const person = yield* signIn(yield* caller, { requestId: cookies["login"] ?? "", otp }) // once; null for a wrong code
    if (person === null) return Answer.empty({ status: 401 })
    const session = crypto.randomUUID()
    signedIn.set(session, `+${person.identity.canonical}`)
    return set("session", session)
  }, Effect.catch(HttpLayer.failed))
  yield* router.add("POST", "/login", start)
  yield* router.add("POST", "/login/code", check)
  yield* router.add("GET", "/me", ({ cookies }) => {
    const phone = signedIn.get(cookies["session"] ?? "")
    return Effect.succeed(phone ? Answer.jsonUnsafe({ phone }) : Answer.empty({ status: 401 }))
  })
})
export const app = Layer.mergeAll(HttpRouter.use(login), HttpLayer.layerAt("/verify")).pipe(Layer.provide(services))
