/** Sign-in to Countersign with an OpenID Connect provider. */
export * as Oidc from "./Oidc.ts"
