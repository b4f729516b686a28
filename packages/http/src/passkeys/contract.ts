import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, TooMany, Unauthorized } from "../contract/ErrorEnvelope.ts"
import { JsonObject, listOf, optional, Timestamp } from "../contract/Field.ts"
import { Person, PersonFresh, SignIn } from "../contract/Security.ts"
import { SignedInAnswer } from "../sessions/contract.ts"

const passkey = {
  id: Schema.String.annotate({ description: "The authenticator's name of it" }),
  name: Schema.String.annotate({ examples: ["My phone"] }),
  createdAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp)
}

export const PasskeyAnswer = Schema.Struct(passkey).annotate({ identifier: "Passkey" })
export const NewPasskeyAnswer = Schema.Struct(passkey).annotate({ identifier: "NewPasskey", httpApiStatus: 201 })

const Response = JsonObject.annotate({
  description: "What the browser answered: a `PublicKeyCredential`, as its `toJSON()` writes it"
})

export const NewPasskeyPayload = Schema.Struct({
  response: Response,
  name: optional(Schema.String.annotate({ description: "At most 60 characters, for you" }))
}).annotate({ identifier: "NewPasskeyRequest" })
export const PasskeySignInPayload = Schema.Struct({ response: Response }).annotate({
  identifier: "PasskeySignInRequest"
})

const options = { success: JsonObject, error: [...answers.command, NotFound] } as const

/** Passkeys: made by somebody who is signed in, and signing in with one. */
export class PasskeyApi extends HttpApiGroup.make("passkeys")
  .add(
    HttpApiEndpoint.get("list", "/passkeys", { success: listOf(PasskeyAnswer), error: answers.read })
      .middleware(Person)
      .annotateMerge(describe("List your passkeys", "The oldest first. There are at most 20.")),
    HttpApiEndpoint.post("creation", "/passkeys/options", options)
      .middleware(PersonFresh)
      .annotateMerge(
        describe(
          "Begin to make a passkey",
          "For `PublicKeyCredential.parseCreationOptionsFromJSON`. Good for 5 minutes."
        )
      ),
    HttpApiEndpoint.post("add", "/passkeys", {
      payload: NewPasskeyPayload,
      success: NewPasskeyAnswer,
      error: [...answers.post, NotFound]
    })
      .middleware(PersonFresh)
      .annotateMerge(
        describe(
          "Keep the passkey that the browser made",
          "It signs in to what this session's sign-in reached, until an agent is suspended, removed, or gets another role or address."
        )
      ),
    HttpApiEndpoint.delete("remove", "/passkeys/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(PersonFresh)
      .annotateMerge(describe("Remove a passkey", "It signs nobody in any more. Sessions that it began go on.")),
    HttpApiEndpoint.post("request", "/sessions/passkey/options", options)
      .middleware(SignIn)
      .annotateMerge(
        describe(
          "Begin to sign in with a passkey",
          "For `PublicKeyCredential.parseRequestOptionsFromJSON`. Good for 5 minutes."
        )
      ),
    HttpApiEndpoint.post("signIn", "/sessions/passkey", {
      payload: PasskeySignInPayload,
      success: SignedInAnswer,
      error: [...answers.post, Unauthorized, NotFound, TooMany]
    })
      .middleware(SignIn)
      .annotateMerge(
        describe("Sign in with a passkey", "The session comes as a cookie. Whatever is wrong is answered in one way.")
      )
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Passkeys",
      description: "Whoever works for a merchant signs in without a mail: passkeys are added, listed, used and removed."
    })
  ) {}
