import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as answers from "../contract/answers.ts"
import { describe } from "../contract/describe.ts"
import { BadRequest, NotFound, TooMany, Unauthorized } from "../contract/ErrorEnvelope.ts"
import { JsonObject, listOf, optional, Timestamp } from "../contract/Field.ts"
import { Person, PersonFresh, SignIn } from "../contract/Security.ts"
import { SignedInAnswer } from "../sessions/contract.ts"

const passkey = {
  id: Schema.String.annotate({ description: "The credential id from the authenticator" }),
  name: Schema.String.annotate({ examples: ["My phone"] }),
  createdAt: Timestamp,
  lastUsedAt: Schema.NullOr(Timestamp)
}

export const PasskeyAnswer = Schema.Struct(passkey).annotate({ identifier: "Passkey" })
export const NewPasskeyAnswer = Schema.Struct(passkey).annotate({ identifier: "NewPasskey", httpApiStatus: 201 })

const Response = JsonObject.annotate({
  description: "The browser's `PublicKeyCredential`, in the format of its `toJSON()`"
})

export const NewPasskeyPayload = Schema.Struct({
  response: Response,
  name: optional(Schema.String.annotate({ description: "A name to recognise the passkey by, at most 60 characters" }))
}).annotate({ identifier: "NewPasskeyRequest" })
export const PasskeySignInPayload = Schema.Struct({ response: Response }).annotate({
  identifier: "PasskeySignInRequest"
})

const options = { success: JsonObject, error: [...answers.command, NotFound] } as const

/** Registers passkeys, and signs in with them. */
export class PasskeyApi extends HttpApiGroup.make("passkeys")
  .add(
    HttpApiEndpoint.get("list", "/passkeys", { success: listOf(PasskeyAnswer), error: answers.read })
      .middleware(Person)
      .annotateMerge(describe("List your passkeys", "Oldest first. There are at most 20.")),
    HttpApiEndpoint.post("creation", "/passkeys/options", options)
      .middleware(PersonFresh)
      .annotateMerge(
        describe(
          "Start registering a passkey",
          "Returns options for `PublicKeyCredential.parseCreationOptionsFromJSON`, valid for 5 minutes."
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
          "Register a passkey",
          "The passkey signs in to the same agents as this session's sign-in. It stops working for an agent who is suspended, removed, or given another role or address."
        )
      ),
    HttpApiEndpoint.delete("remove", "/passkeys/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent,
      error: [BadRequest, ...answers.lookup]
    })
      .middleware(PersonFresh)
      .annotateMerge(
        describe("Remove a passkey", "The passkey no longer signs in. Sessions that it started continue.")
      ),
    HttpApiEndpoint.post("request", "/sessions/passkey/options", options)
      .middleware(SignIn)
      .annotateMerge(
        describe(
          "Start a sign-in with a passkey",
          "Returns options for `PublicKeyCredential.parseRequestOptionsFromJSON`, valid for 5 minutes."
        )
      ),
    HttpApiEndpoint.post("signIn", "/sessions/passkey", {
      payload: PasskeySignInPayload,
      success: SignedInAnswer,
      error: [...answers.post, Unauthorized, NotFound, TooMany]
    })
      .middleware(SignIn)
      .annotateMerge(describe("Sign in with a passkey", "Sets the session cookie. Every failure gets the same answer."))
  )
  .prefix("/v1/dashboard")
  .annotateMerge(
    OpenApi.annotations({
      title: "Passkeys",
      description: "Sign in to the dashboard with passkeys, and add, list or remove them."
    })
  ) {}
