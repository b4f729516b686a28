import type { Oidc } from "@countersign/oidc"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import { inVariables } from "./inVariables.ts"

export interface OidcConfiguration {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

/** Every variable of it. */
export const names: ReadonlyArray<string> = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]

/** What the environment says of it; undefined when it says nothing. With one of the variables, all are required. */
export const read = (reader: VariableReader): OidcConfiguration | undefined => {
  const given = names.filter((name) => reader.text(name) !== undefined)
  if (given.length === 0) return undefined
  for (const name of names) if (!given.includes(name)) reader.refuse(name, `is required together with ${given[0]}`)
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

/** The provider that the people who work for merchants sign in with. */
export const identityProviders = Effect.fnUntraced(function* (options: OidcConfiguration) {
  const { Oidc } = yield* Effect.promise(() => import("@countersign/oidc"))
  return [yield* Effect.mapError(Oidc.make(options), inVariables(variables))]
})
