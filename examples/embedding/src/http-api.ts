import { consoleChannel } from "countersign"
import { HttpLayer, inProcess, layer, Verifications } from "countersign/effect"
import { twilio } from "countersign/twilio"
import { Effect, Layer, Schema } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiError, HttpApiGroup } from "effect/http-api"
const { env } = process
const account = { accountSid: env.TWILIO_ACCOUNT_SID, authToken: env.TWILIO_AUTH_TOKEN, from: env.TWILIO_FROM }
const services = layer({
  database: env.DATABASE_URL ?? "./data",
  secret: env.COUNTERSIGN_SECRET, // a directory stores its own
  channels: [env.NODE_ENV === "production" ? twilio(account) : consoleChannel()]
})
const [Texts, error] = [Schema.Record(Schema.String, Schema.String), HttpApiError.Unauthorized]
const group = HttpApiGroup.make("people").add(
  HttpApiEndpoint.post("login", "/login", { payload: Texts, success: Texts, error }),
  HttpApiEndpoint.get("me", "/me", { headers: { "id-token": Schema.String }, success: Schema.String, error })
)
const shop = HttpApi.make("shop").add(group) // your own API, with your own groups
const refused = Effect.mapError(() => new HttpApiError.Unauthorized({}))
const people = HttpApiBuilder.group(shop, "people", (handlers) =>
  Effect.gen(function* () {
    const caller = yield* inProcess({
      settings: { strictReverify: true, defaultCountry: null, resendCooldownSeconds: 30, maxResends: 3 }
    })
    const { confirm, initiate, verify } = yield* Verifications
    const login = Effect.fnUntraced(function* ({ code, phone = "", requestId }: { [name: string]: string }) {
      const person = { identity: phone, identityType: "MOBILE", mode: "OTP" }
      if (code === undefined) return { requestId: (yield* initiate(yield* caller, person)).verification.id }
      const checked = yield* verify(yield* caller, { requestId, otp: code })
      if (checked._tag !== "Verified" || checked.already) return yield* new HttpApiError.Unauthorized({})
      return { idToken: checked.idToken } // good for five minutes: give a session of yours for it
    }, refused)
    const me = (idToken = "") => Effect.flatMap(caller, (program) => confirm(program, { idToken })).pipe(refused)
    const both = handlers.handle("login", ({ payload }) => login(payload))
    return both.handle("me", ({ headers }) => Effect.map(me(headers["id-token"]), ({ identity }) => identity.spelling))
  })
)
const own = HttpRouter.middleware(Effect.map(HttpServerResponse.setHeader("x-shop", "1")), { global: true })
const api = HttpApiBuilder.layer(shop).pipe(Layer.provide(people))
export const app = Layer.mergeAll(api, HttpLayer.layerAt("/verify"), own).pipe(Layer.provide(services))
