import { AgentRole, DigestMinutes, DigestRefusal, PushRefusal } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, TooMany, Unauthorized } from "../contract/ErrorEnvelope.ts"
import { listOf, optional, Timestamp } from "../contract/Field.ts"
import { Open, Person, SignIn } from "../contract/Security.ts"

const Email = Schema.String.annotate({ examples: ["asha@example.com"] })
const Named = Schema.Struct({ id: Schema.String, name: Schema.String })

const signedIn = {
  agent: Schema.Struct({ id: Schema.Int, email: Schema.String, role: Schema.Literals(AgentRole) }),
  merchant: Named.annotate({ description: "The current merchant" }),
  merchants: Schema.Array(Named).annotate({
    description:
      "All merchants that this session may switch to, including the current one. More than one after a code to an address that several merchants know"
  })
}

export const SignedInAnswer = Schema.Struct(signedIn).annotate({ identifier: "SignedIn" })

export const MeAnswer = Schema.Struct({
  ...signedIn,
  agent: Schema.Struct({
    ...signedIn.agent.fields,
    name: Schema.NullOr(Schema.String.annotate({ description: "The display name that colleagues see" })),
    digestMinutes: Schema.NullOr(
      Schema.Literals(DigestMinutes).annotate({
        description: "Mails report customers who wait longer than this many minutes. Null: no mails"
      })
    ),
    digestRefusal: Schema.NullOr(
      Schema.Literals(DigestRefusal).annotate({
        description:
          "Why no such mail can be sent: the deployment does not offer it, the role may not answer customers, or the agent never proved the address. Null: it can"
      })
    )
  }),
  sendsFiles: Schema.Boolean.annotate({
    description: "Whether replies to customers can carry files: it depends on the deployment's WhatsApp provider"
  }),
  freshUntil: Timestamp.annotate({ description: "Until then, actions that need a recent sign-in are allowed" })
}).annotate({ identifier: "Me" })

export const PersonSessionAnswer = Schema.Struct({
  id: Schema.String,
  createdAt: Timestamp.annotate({ description: "When the agent signed in" }),
  lastUsedAt: Timestamp.annotate({ description: "Accurate to a few minutes" }),
  address: Schema.NullOr(Schema.String),
  userAgent: Schema.NullOr(Schema.String),
  current: Schema.Boolean.annotate({ description: "Whether this is the session of this request" })
}).annotate({ identifier: "PersonSession" })

export const WaysAnswer = Schema.Struct({
  email: Schema.Boolean.annotate({ description: "With a code sent by e-mail" }),
  oidc: Schema.Boolean.annotate({
    description: "With the operator's identity provider: send the browser to `/dashboard/oidc/start`"
  }),
  passkey: Schema.Boolean,
  outbox: Schema.NullOr(
    Schema.String.annotate({
      description: "Development only: the page that shows the code, because no e-mail is sent",
      examples: ["/dev/outbox"]
    })
  )
}).annotate({ identifier: "SignInWays" })

export const AskPayload = Schema.Struct({ email: Email }).annotate({ identifier: "SignInRequest" })
export const AskedAnswer = Schema.Struct({}).annotate({ identifier: "SignInRequested", httpApiStatus: 202 })
export const ConfirmSignInPayload = Schema.Struct({ email: Email, code: Schema.String }).annotate({
  identifier: "ConfirmSignInRequest"
})
export const RedeemPayload = Schema.Struct({
  token: Schema.String.annotate({ description: "The part of the link after `#redeem=`" })
}).annotate({ identifier: "RedeemRequest" })
export const ChangeOverPayload = Schema.Struct({ merchantId: Schema.String }).annotate({
  identifier: "ChangeOverRequest"
})

export const ChangeMePayload = Schema.Struct({
  name: optional(
    Schema.String.annotate({ description: "At most 60 characters. Null removes it", examples: ["Asha Mehta"] })
  ),
  digestMinutes: optional(
    Schema.Int.annotate({
      description:
        "15 or 60: mails report customers in `live` who wait longer than this, at most once an hour. Null turns them off",
      examples: [15]
    })
  )
}).annotate({ identifier: "ChangeMeRequest" })

export const DeviceAnswer = Schema.Struct({
  id: Schema.String,
  createdAt: Timestamp.annotate({ description: "When the browser was added" }),
  lastSeenAt: Timestamp.annotate({ description: "When the dashboard was last opened there, accurate to a day" }),
  userAgent: Schema.NullOr(Schema.String)
}).annotate({ identifier: "AgentDevice" })

export const DevicesAnswer = Schema.Struct({
  items: Schema.Array(DeviceAnswer).annotate({ description: "The most recently seen first, at most 10" }),
  key: Schema.NullOr(
    Schema.String.annotate({
      description: "The `applicationServerKey` that a browser subscribes with. Null when this session may add no device"
    })
  ),
  refusal: Schema.NullOr(
    Schema.Literals(PushRefusal).annotate({
      description:
        "Why this session may add no device: the deployment does not offer it, or the role may not answer customers. Null: it may"
    })
  )
}).annotate({ identifier: "AgentDevices" })

export const AddDevicePayload = Schema.Struct({
  endpoint: Schema.String.annotate({
    description:
      "The endpoint of the browser's push subscription: https, on the public internet, at most 1,024 characters",
    examples: ["https://push.example.com/subscriptions/1"]
  }),
  p256dh: Schema.String.annotate({ description: "The subscription's public key, base64url" }),
  auth: Schema.String.annotate({ description: "The subscription's secret, base64url" }),
  key: Schema.String.annotate({ description: "The `key` of the list that the browser subscribed with" })
}).annotate({ identifier: "AddDeviceRequest" })

const cookie = "Sets the session cookie."

/** Sign-in to the dashboard, and the sessions of its agents. */
export class SessionApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("ways", "/sign-in", { success: WaysAnswer, error: answers.read })
      .middleware(Open)
      .annotateMerge(describe("List sign-in methods", "The same for all agents. An invitation link always works too.")),
    HttpApiEndpoint.post("ask", "/sessions", {
      payload: AskPayload,
      success: AskedAnswer,
      error: [...answers.post, TooMany]
    })
      .middleware(SignIn)
      .annotateMerge(
        describe("Request a sign-in code", "The answer is the same whether or not the address may sign in.")
      ),
    HttpApiEndpoint.post("confirm", "/sessions/confirm", {
      payload: ConfirmSignInPayload,
      success: SignedInAnswer,
      error: [...answers.post, Unauthorized, TooMany]
    })
      .middleware(SignIn)
      .annotateMerge(describe("Sign in with a code", `${cookie} Every failure gets the same answer.`)),
    HttpApiEndpoint.post("redeem", "/sessions/redeem", {
      payload: RedeemPayload,
      success: SignedInAnswer,
      error: [...answers.post, Unauthorized]
    })
      .middleware(SignIn)
      .annotateMerge(describe("Sign in with a link", `${cookie} A link works once. An INVITED agent becomes ACTIVE.`)),
    HttpApiEndpoint.get("list", "/sessions", { success: listOf(PersonSessionAnswer), error: answers.read })
      .middleware(Person)
      .annotateMerge(describe("List your sessions", "Newest first. There are at most 50.")),
    HttpApiEndpoint.patch("changeOver", "/sessions/current", {
      payload: ChangeOverPayload,
      success: SignedInAnswer,
      error: [...answers.change, NotFound]
    })
      .middleware(Person)
      .annotateMerge(
        describe(
          "Switch to another merchant",
          "One of the session's `merchants`. Replaces the cookie. The time of the sign-in does not change."
        )
      ),
    HttpApiEndpoint.delete("signOut", "/sessions/current", {
      success: HttpApiSchema.NoContent,
      error: answers.read
    })
      .middleware(Person)
      .annotateMerge(describe("Sign out", "Ends this session, within 5 seconds in every process.")),
    HttpApiEndpoint.delete("revoke", "/sessions/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Person)
      .annotateMerge(describe("End one of your sessions", "Takes effect within 5 seconds in every process.")),
    HttpApiEndpoint.get("me", "/me", { success: MeAnswer, error: answers.read })
      .middleware(Person)
      .annotateMerge(
        describe("Read your own agent", "The signed-in agent, with the current merchant and those to switch to.")
      ),
    HttpApiEndpoint.patch("changeMe", "/me", {
      payload: ChangeMePayload,
      success: MeAnswer,
      error: answers.change
    })
      .middleware(Person)
      .annotateMerge(
        describe(
          "Change your own agent",
          "Your display name at the current merchant, and the mails about waiting customers."
        )
      ),
    HttpApiEndpoint.get("devices", "/me/devices", { success: DevicesAnswer, error: answers.read })
      .middleware(Person)
      .annotateMerge(describe("List your devices", "The browsers that show you push notifications.")),
    HttpApiEndpoint.post("addDevice", "/me/devices", {
      payload: AddDevicePayload,
      success: DeviceAnswer,
      error: answers.post
    })
      .middleware(Person)
      .annotateMerge(
        describe(
          "Add or refresh a device",
          "A browser's push subscription. Ending this session removes it. Above 10, the one not seen for the longest time goes."
        )
      ),
    HttpApiEndpoint.delete("removeDevice", "/me/devices/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Person)
      .annotateMerge(describe("Remove one of your devices", "An unknown id changes nothing."))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Sign-in",
      description: "Sign in to the dashboard, list your sessions, and sign out."
    })
  ) {}
