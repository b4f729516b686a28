import { AgentRole } from "@countersign/core"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, TooMany, Unauthorized } from "../contract/ErrorEnvelope.ts"
import { listOf, Timestamp } from "../contract/Field.ts"
import { Open, Person, SignIn } from "../contract/Security.ts"

const Email = Schema.String.annotate({ examples: ["asha@example.com"] })
const Named = Schema.Struct({ id: Schema.String, name: Schema.String })

const signedIn = {
  agent: Schema.Struct({ id: Schema.Int, email: Schema.String, role: Schema.Literals(AgentRole) }),
  merchant: Named.annotate({ description: "The one they are at" }),
  merchants: Schema.Array(Named).annotate({
    description:
      "All that they may change over to, this one included: more than one after a code to an address they share"
  })
}

export const SignedInAnswer = Schema.Struct(signedIn).annotate({ identifier: "SignedIn" })

export const MeAnswer = Schema.Struct({
  ...signedIn,
  freshUntil: Timestamp.annotate({ description: "Until then they may do what asks for a sign-in of just now" })
}).annotate({ identifier: "Me" })

export const PersonSessionAnswer = Schema.Struct({
  id: Schema.String,
  createdAt: Timestamp.annotate({ description: "When they signed in" }),
  lastUsedAt: Timestamp.annotate({ description: "To some minutes" }),
  address: Schema.NullOr(Schema.String),
  userAgent: Schema.NullOr(Schema.String),
  current: Schema.Boolean.annotate({ description: "Whether it is the one that asks" })
}).annotate({ identifier: "PersonSession" })

export const WaysAnswer = Schema.Struct({
  email: Schema.Boolean.annotate({ description: "With a code that comes by e-mail" }),
  oidc: Schema.Boolean.annotate({
    description: "With the operator's provider: send the browser to `/dashboard/oidc/start`"
  }),
  passkey: Schema.Boolean,
  outbox: Schema.NullOr(
    Schema.String.annotate({
      description: "In development alone: the page that shows the code, because no e-mail leaves the machine",
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
  token: Schema.String.annotate({ description: "What follows `#redeem=` in the link" })
}).annotate({ identifier: "RedeemRequest" })
export const ChangeOverPayload = Schema.Struct({ merchantId: Schema.String }).annotate({
  identifier: "ChangeOverRequest"
})

const cookie = "The session comes as a cookie."

/** How the people who work for merchants sign in to the dashboard, and what they are signed in with. */
export class SessionApi extends HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("ways", "/sign-in", { success: WaysAnswer, error: answers.read })
      .middleware(Open)
      .annotateMerge(
        describe("How people may sign in here", "The same for everybody. A link works besides, wherever it comes from.")
      ),
    HttpApiEndpoint.post("ask", "/sessions", {
      payload: AskPayload,
      success: AskedAnswer,
      error: [...answers.post, TooMany]
    })
      .middleware(SignIn)
      .annotateMerge(
        describe("Ask for a code", "The answer is the same whether somebody with this address may sign in or not.")
      ),
    HttpApiEndpoint.post("confirm", "/sessions/confirm", {
      payload: ConfirmSignInPayload,
      success: SignedInAnswer,
      error: [...answers.post, Unauthorized, TooMany]
    })
      .middleware(SignIn)
      .annotateMerge(describe("Sign in with the code", `${cookie} Whatever is wrong is answered in one way.`)),
    HttpApiEndpoint.post("redeem", "/sessions/redeem", {
      payload: RedeemPayload,
      success: SignedInAnswer,
      error: [...answers.post, Unauthorized]
    })
      .middleware(SignIn)
      .annotateMerge(describe("Sign in with a link", `${cookie} A link works once; who was invited is ACTIVE then.`)),
    HttpApiEndpoint.get("list", "/sessions", { success: listOf(PersonSessionAnswer), error: answers.read })
      .middleware(Person)
      .annotateMerge(describe("List your sessions", "The newest first. There are at most 50.")),
    HttpApiEndpoint.patch("changeOver", "/sessions/current", {
      payload: ChangeOverPayload,
      success: SignedInAnswer,
      error: [...answers.change, NotFound]
    })
      .middleware(Person)
      .annotateMerge(
        describe(
          "Change over to another merchant",
          "To one of the `merchants` that the session was answered with. The cookie is replaced, the sign-in is as old as before."
        )
      ),
    HttpApiEndpoint.delete("signOut", "/sessions/current", {
      success: HttpApiSchema.NoContent,
      error: answers.read
    })
      .middleware(Person)
      .annotateMerge(describe("Sign out", "The session ends in every process within 5 seconds.")),
    HttpApiEndpoint.delete("revoke", "/sessions/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(Person)
      .annotateMerge(describe("End one of your sessions", "In every process within 5 seconds.")),
    HttpApiEndpoint.get("me", "/me", { success: MeAnswer, error: answers.read })
      .middleware(Person)
      .annotateMerge(describe("Who you are", "And where you are signed in."))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Sign-in",
      description: "Whoever works for a merchant signs in, sees where else, and signs out."
    })
  ) {}
