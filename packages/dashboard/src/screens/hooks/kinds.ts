import type { Answer } from "../../api/Api.ts"

export type Hook = Answer<"GET /v1/dashboard/hooks">["items"][number]
export type Kind = Hook["kind"]
export type HookRequest = Answer<"GET /v1/dashboard/hooks/:id/requests">["items"][number]

/** The sign-in systems, the most usual first. Their names are the same in every language. */
export const names: { readonly [K in Exclude<Kind, "generic">]: string } = {
  "supabase-sms": "Supabase Auth: SMS",
  "supabase-email": "Supabase Auth: e-mail",
  "zitadel-sms": "Zitadel: SMS",
  "zitadel-email": "Zitadel: e-mail",
  kratos: "Ory Kratos",
  auth0: "Auth0"
}

export const kinds: ReadonlyArray<Kind> = [...(Object.keys(names) as ReadonlyArray<keyof typeof names>), "generic"]
