import type { Oidc } from "@countersign/oidc"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"

export interface OidcConfiguration {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

export const group: VariableGroup = {
  id: "oidc",
  title: "Sign-in with your identity provider",
  together: true,
  variables: [
    {
      name: "OIDC_ISSUER",
      about: "the issuer, exactly as in the provider's metadata; must be https, except on this machine",
      example: "https://login.acme.example",
      needs: ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]
    },
    {
      name: "OIDC_CLIENT_ID",
      about: "the client id of this service at the provider",
      example: "countersign",
      needs: ["OIDC_ISSUER", "OIDC_CLIENT_SECRET"]
    },
    {
      name: "OIDC_CLIENT_SECRET",
      about: "the client secret of this service at the provider",
      example: "from the provider's console",
      secret: true,
      needs: ["OIDC_ISSUER", "OIDC_CLIENT_ID"]
    }
  ]
}

/** Reads the provider's options. Undefined when it is not configured. */
export const read = (reader: VariableReader): OidcConfiguration | undefined => {
  if (!reader.wants(group.variables)) return undefined
  const text = (name: string) => reader.text(name) ?? ""
  return {
    issuer: text("OIDC_ISSUER"),
    clientId: text("OIDC_CLIENT_ID"),
    clientSecret: Redacted.make(text("OIDC_CLIENT_SECRET"))
  }
}

const variables: { readonly [option in keyof Oidc.Options]-?: string } = {
  issuer: "OIDC_ISSUER",
  clientId: "OIDC_CLIENT_ID",
  clientSecret: "OIDC_CLIENT_SECRET"
}

/** The identity provider that team members sign in with. */
export const identityProviders = Effect.fnUntraced(function* (options: OidcConfiguration) {
  const { Oidc } = yield* Effect.promise(() => import("@countersign/oidc"))
  return [yield* Effect.mapError(Oidc.make(options), inVariables(variables))]
})
