import type { Merchant, Role } from "@countersign/core"
import { Predicate } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Forbidden, TooMany, Unauthorized } from "./ErrorEnvelope.ts"

/** A server key has two headers. `HttpApiSecurity` can describe only the first. */
export const clientIdHeader = "x-client-id"
export const clientSecretHeader = "x-client-secret"
export const publicKeyHeader = "x-public-key"

/** A scope of a server key. A key may call the endpoints that need one of its scopes. */
export type Scope = Merchant.KeyScope

/** The session cookie. Without TLS, on loopback, it has another name: see `Authenticate`. */
export const sessionCookie = "__Host-countersign"

/**
 * The credential that an endpoint requires. Each middleware below declares one as `needs`. Every endpoint has exactly one
 * of them; an endpoint with none or two is a compile error and stops the start.
 *
 * `staff` is a server key with the scope, which may do what any role may, or a signed-in agent with at least the role.
 * With `fresh`, an agent must have signed in within the last ten minutes, except, with `dryRun`, for `?dryRun=true`.
 * Endpoints `of` the merchant need no `X-Environment`.
 */
export type Needs =
  | { readonly credential: "server"; readonly scope: Scope }
  | {
      readonly credential: "staff"
      readonly scope: Scope
      readonly role: Role
      readonly fresh: boolean
      readonly dryRun?: true
      /** Keys are refused, because only a person may do this. */
      readonly keys?: false
      readonly of: "environment" | "merchant"
    }
  | { readonly credential: "person"; readonly fresh: boolean }
  | { readonly credential: "public" | "session" | "admin" | "signIn" | "none" }

const clientId = HttpApiSecurity.apiKey({ key: clientIdHeader, in: "header" })
const signedIn = HttpApiSecurity.apiKey({ key: sessionCookie, in: "cookie" })

const serverKey = { requiredForClient: true, error: [Unauthorized, Forbidden], security: { clientId } } as const
const keyOrPerson = {
  requiredForClient: true,
  error: [Unauthorized, Forbidden, TooMany],
  security: { clientId, signedIn }
} as const
const personAlone = {
  requiredForClient: true,
  error: [Unauthorized, Forbidden, TooMany],
  security: { signedIn }
} as const

const staff = <const R extends Role>(role: R, more: { readonly scope?: Scope; readonly of?: "merchant" } = {}) =>
  ({
    credential: "staff",
    scope: more.scope ?? "dashboard",
    role,
    fresh: false,
    of: more.of ?? "environment"
  }) as const satisfies Needs

/** `X-Client-Id` and `X-Client-Secret`, both, of a key with the scope `auth`: for merchants' backends only. */
export class AuthKey extends HttpApiMiddleware.Service<AuthKey>()("@countersign/http/AuthKey", serverKey) {
  static readonly needs = { credential: "server", scope: "auth" } as const satisfies Needs
}

/** May read the leads of an environment. */
export class LeadsViewer extends HttpApiMiddleware.Service<LeadsViewer>()(
  "@countersign/http/LeadsViewer",
  keyOrPerson
) {
  static readonly needs = staff("VIEWER", { scope: "leads" })
}

/** May change the leads of an environment. */
export class LeadsAgent extends HttpApiMiddleware.Service<LeadsAgent>()("@countersign/http/LeadsAgent", keyOrPerson) {
  static readonly needs = staff("AGENT", { scope: "leads" })
}

/** May read an environment. */
export class Viewer extends HttpApiMiddleware.Service<Viewer>()("@countersign/http/Viewer", keyOrPerson) {
  static readonly needs = staff("VIEWER")
}

/** May work in an environment's inbox. */
export class Worker extends HttpApiMiddleware.Service<Worker>()("@countersign/http/Worker", keyOrPerson) {
  static readonly needs = staff("AGENT")
}

/** Like `Worker`, but only for signed-in agents. */
export class WorkerInPerson extends HttpApiMiddleware.Service<WorkerInPerson>()(
  "@countersign/http/WorkerInPerson",
  personAlone
) {
  static readonly needs = { ...staff("AGENT"), keys: false } as const satisfies Needs
}

/** May configure an environment. */
export class Admin extends HttpApiMiddleware.Service<Admin>()("@countersign/http/Admin", keyOrPerson) {
  static readonly needs = staff("ADMIN")
}

/** Like `Admin`, with a recent sign-in, so that a stolen session is not enough. */
export class AdminFresh extends HttpApiMiddleware.Service<AdminFresh>()("@countersign/http/AdminFresh", keyOrPerson) {
  static readonly needs = { ...staff("ADMIN"), fresh: true }
}

/** Like `AdminFresh`, but a dry run needs no recent sign-in. */
export class AdminFreshOrDry extends HttpApiMiddleware.Service<AdminFreshOrDry>()(
  "@countersign/http/AdminFreshOrDry",
  keyOrPerson
) {
  static readonly needs = { ...staff("ADMIN"), fresh: true, dryRun: true } as const satisfies Needs
}

/** May change keys and money. */
export class OwnerFresh extends HttpApiMiddleware.Service<OwnerFresh>()("@countersign/http/OwnerFresh", keyOrPerson) {
  static readonly needs = { ...staff("OWNER"), fresh: true }
}

/** May read what both environments share. */
export class StaffViewer extends HttpApiMiddleware.Service<StaffViewer>()(
  "@countersign/http/StaffViewer",
  keyOrPerson
) {
  static readonly needs = staff("VIEWER", { of: "merchant" })
}

/** May configure what both environments share. */
export class StaffAdmin extends HttpApiMiddleware.Service<StaffAdmin>()("@countersign/http/StaffAdmin", keyOrPerson) {
  static readonly needs = staff("ADMIN", { of: "merchant" })
}

/** Like `StaffAdmin`, with a recent sign-in: may change agents and their roles. */
export class StaffAdminFresh extends HttpApiMiddleware.Service<StaffAdminFresh>()(
  "@countersign/http/StaffAdminFresh",
  keyOrPerson
) {
  static readonly needs = { ...staff("ADMIN", { of: "merchant" }), fresh: true }
}

/** An owner in person. Keys may not touch the credentials of agents. */
export class StaffOwner extends HttpApiMiddleware.Service<StaffOwner>()("@countersign/http/StaffOwner", personAlone) {
  static readonly needs = { ...staff("OWNER", { of: "merchant" }), keys: false } as const satisfies Needs
}

/** Like `StaffOwner`, with a sign-in within the last ten minutes. */
export class StaffOwnerFresh extends HttpApiMiddleware.Service<StaffOwnerFresh>()(
  "@countersign/http/StaffOwnerFresh",
  personAlone
) {
  static readonly needs = { ...staff("OWNER", { of: "merchant" }), fresh: true, keys: false } as const satisfies Needs
}

/** A signed-in agent, for their own data. Keys are refused. */
export class Person extends HttpApiMiddleware.Service<Person>()("@countersign/http/Person", personAlone) {
  static readonly needs = { credential: "person", fresh: false } as const satisfies Needs
}

/** Like `Person`, with a sign-in within the last ten minutes. */
export class PersonFresh extends HttpApiMiddleware.Service<PersonFresh>()(
  "@countersign/http/PersonFresh",
  personAlone
) {
  static readonly needs = { credential: "person", fresh: true } as const satisfies Needs
}

/**
 * For signing in, without a credential. Only the dashboard's own page may call, so that no other page can sign a browser
 * in secretly.
 */
export class SignIn extends HttpApiMiddleware.Service<SignIn>()("@countersign/http/SignIn", { error: [Forbidden] }) {
  static readonly needs = { credential: "signIn" } as const satisfies Needs
}

/** `X-Public-Key`: for apps. It is public, so it gives no access to logins that another client started. */
export class PublicKey extends HttpApiMiddleware.Service<PublicKey>()("@countersign/http/PublicKey", {
  requiredForClient: true,
  error: [Unauthorized, Forbidden, TooMany],
  security: { publicKey: HttpApiSecurity.apiKey({ key: publicKeyHeader, in: "header" }) }
}) {
  static readonly needs = { credential: "public" } as const satisfies Needs
}

/** The token that a merchant's backend created for one of its apps. */
export class SessionToken extends HttpApiMiddleware.Service<SessionToken>()("@countersign/http/SessionToken", {
  requiredForClient: true,
  error: [Unauthorized, Forbidden],
  security: { sessionToken: HttpApiSecurity.bearer }
}) {
  static readonly needs = { credential: "session" } as const satisfies Needs
}

/** The operator's bearer token. */
export class AdminToken extends HttpApiMiddleware.Service<AdminToken>()("@countersign/http/AdminToken", {
  requiredForClient: true,
  error: [Unauthorized, Forbidden],
  security: { adminToken: HttpApiSecurity.bearer }
}) {
  static readonly needs = { credential: "admin" } as const satisfies Needs
}

/** No credential. It must be stated, because an endpoint without `needs` is an error. */
export class Open extends HttpApiMiddleware.Service<Open>()("@countersign/http/Open") {
  static readonly needs = { credential: "none" } as const satisfies Needs
}

/** The credentials that a server key satisfies. */
export type KeyCredential =
  | AuthKey
  | LeadsViewer
  | LeadsAgent
  | Viewer
  | Worker
  | Admin
  | AdminFresh
  | AdminFreshOrDry
  | OwnerFresh
  | StaffViewer
  | StaffAdmin
  | StaffAdminFresh

/** The credentials that act for a merchant. */
export type MerchantCredential =
  | KeyCredential
  | WorkerInPerson
  | StaffOwner
  | StaffOwnerFresh
  | Person
  | PersonFresh
  | PublicKey
  | SessionToken

export type Credential = MerchantCredential | AdminToken | SignIn | Open

/** The needs that an endpoint's middleware declares. Anything other than one is an error. */
export const needsOf = (middleware: ReadonlySet<unknown>): ReadonlyArray<Needs> =>
  [...middleware].flatMap((each) => (Predicate.hasProperty(each, "needs") ? [each.needs as Needs] : []))

/** Whether a server key with the right scope is accepted. */
export const takesServerKey = (needs: Needs): boolean =>
  needs.credential === "server" || (needs.credential === "staff" && needs.keys !== false)
