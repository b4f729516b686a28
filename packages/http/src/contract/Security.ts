import type { Merchant, Role } from "@countersign/core"
import { Predicate } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Forbidden, TooMany, Unauthorized } from "./ErrorEnvelope.ts"

/** The name of the second header of the server key; the first is what `HttpApiSecurity` can describe. */
export const clientIdHeader = "x-client-id"
export const clientSecretHeader = "x-client-secret"
export const publicKeyHeader = "x-public-key"

/** What a server key may be good for: a key has some of these, and opens the endpoints that need one of them. */
export type Scope = Merchant.KeyScope

/** The cookie of somebody who is signed in. Without TLS, on loopback, it has another name: see `Authenticate`. */
export const sessionCookie = "__Host-countersign"

/**
 * What an endpoint asks of whoever calls it. Each credential below carries its own as `needs`; every endpoint of the
 * contract has exactly one of them as middleware, and one without, or with two, does not compile and does not start.
 *
 * `staff` is a server key with the scope, which may do what any role may, or somebody who is signed in with at least the
 * role. `fresh` asks those for a sign-in of the last ten minutes; `dryRun` asks it of none who only look what would
 * happen, with `?dryRun=true`. What belongs to the merchant, and not to one environment, needs no `X-Environment` from
 * them.
 */
export type Needs =
  | { readonly credential: "server"; readonly scope: Scope }
  | {
      readonly credential: "staff"
      readonly scope: Scope
      readonly role: Role
      readonly fresh: boolean
      readonly dryRun?: true
      /** No key may: what is done is of somebody, and not of a program. */
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

/** Reads the leads of an environment. */
export class LeadsViewer extends HttpApiMiddleware.Service<LeadsViewer>()(
  "@countersign/http/LeadsViewer",
  keyOrPerson
) {
  static readonly needs = staff("VIEWER", { scope: "leads" })
}

/** Works on the leads of an environment. */
export class LeadsAgent extends HttpApiMiddleware.Service<LeadsAgent>()("@countersign/http/LeadsAgent", keyOrPerson) {
  static readonly needs = staff("AGENT", { scope: "leads" })
}

/** Reads what an environment has. */
export class Viewer extends HttpApiMiddleware.Service<Viewer>()("@countersign/http/Viewer", keyOrPerson) {
  static readonly needs = staff("VIEWER")
}

/** Works in an environment's inbox. */
export class Worker extends HttpApiMiddleware.Service<Worker>()("@countersign/http/Worker", keyOrPerson) {
  static readonly needs = staff("AGENT")
}

/** The same, for what only a person does there. */
export class WorkerInPerson extends HttpApiMiddleware.Service<WorkerInPerson>()(
  "@countersign/http/WorkerInPerson",
  personAlone
) {
  static readonly needs = { ...staff("AGENT"), keys: false } as const satisfies Needs
}

/** Arranges an environment. */
export class Admin extends HttpApiMiddleware.Service<Admin>()("@countersign/http/Admin", keyOrPerson) {
  static readonly needs = staff("ADMIN")
}

/** The same, for what a stolen session should not do. */
export class AdminFresh extends HttpApiMiddleware.Service<AdminFresh>()("@countersign/http/AdminFresh", keyOrPerson) {
  static readonly needs = { ...staff("ADMIN"), fresh: true }
}

/** The same for what can be tried first, which a session of any age may. */
export class AdminFreshOrDry extends HttpApiMiddleware.Service<AdminFreshOrDry>()(
  "@countersign/http/AdminFreshOrDry",
  keyOrPerson
) {
  static readonly needs = { ...staff("ADMIN"), fresh: true, dryRun: true } as const satisfies Needs
}

/** Keys and money. */
export class OwnerFresh extends HttpApiMiddleware.Service<OwnerFresh>()("@countersign/http/OwnerFresh", keyOrPerson) {
  static readonly needs = { ...staff("OWNER"), fresh: true }
}

/** Reads what the merchant has in all environments. */
export class StaffViewer extends HttpApiMiddleware.Service<StaffViewer>()(
  "@countersign/http/StaffViewer",
  keyOrPerson
) {
  static readonly needs = staff("VIEWER", { of: "merchant" })
}

/** Arranges what the merchant has in all environments. */
export class StaffAdmin extends HttpApiMiddleware.Service<StaffAdmin>()("@countersign/http/StaffAdmin", keyOrPerson) {
  static readonly needs = staff("ADMIN", { of: "merchant" })
}

/** The same, for what a stolen session should not do: who works here, and as what. */
export class StaffAdminFresh extends HttpApiMiddleware.Service<StaffAdminFresh>()(
  "@countersign/http/StaffAdminFresh",
  keyOrPerson
) {
  static readonly needs = { ...staff("ADMIN", { of: "merchant" }), fresh: true }
}

/** An owner in person: what signs the merchant's people in is nothing for a key. */
export class StaffOwner extends HttpApiMiddleware.Service<StaffOwner>()("@countersign/http/StaffOwner", personAlone) {
  static readonly needs = { ...staff("OWNER", { of: "merchant" }), keys: false } as const satisfies Needs
}

/** The same, signed in within the last ten minutes. */
export class StaffOwnerFresh extends HttpApiMiddleware.Service<StaffOwnerFresh>()(
  "@countersign/http/StaffOwnerFresh",
  personAlone
) {
  static readonly needs = { ...staff("OWNER", { of: "merchant" }), fresh: true, keys: false } as const satisfies Needs
}

/** Somebody who is signed in, for what is their own. No key may. */
export class Person extends HttpApiMiddleware.Service<Person>()("@countersign/http/Person", personAlone) {
  static readonly needs = { credential: "person", fresh: false } as const satisfies Needs
}

/** The same, signed in within the last ten minutes. */
export class PersonFresh extends HttpApiMiddleware.Service<PersonFresh>()(
  "@countersign/http/PersonFresh",
  personAlone
) {
  static readonly needs = { credential: "person", fresh: true } as const satisfies Needs
}

/**
 * Whoever is about to sign in, and has nothing to show for it yet. Only the dashboard's own page may ask, so that no
 * other page signs somebody in behind their back.
 */
export class SignIn extends HttpApiMiddleware.Service<SignIn>()("@countersign/http/SignIn", { error: [Forbidden] }) {
  static readonly needs = { credential: "signIn" } as const satisfies Needs
}

/** `X-Public-Key`: for apps. It is in everybody's hands, and opens nothing that somebody else started. */
export class PublicKey extends HttpApiMiddleware.Service<PublicKey>()("@countersign/http/PublicKey", {
  requiredForClient: true,
  error: [Unauthorized, Forbidden, TooMany],
  security: { publicKey: HttpApiSecurity.apiKey({ key: publicKeyHeader, in: "header" }) }
}) {
  static readonly needs = { credential: "public" } as const satisfies Needs
}

/** The token that a merchant's backend made for one of its apps. */
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

/** Nothing: anybody may call it. Said on purpose, because an endpoint that says nothing is a mistake. */
export class Open extends HttpApiMiddleware.Service<Open>()("@countersign/http/Open") {
  static readonly needs = { credential: "none" } as const satisfies Needs
}

/** The credentials that a server key can be. */
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

/** The credentials that speak for one environment of a merchant. */
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

/** What an endpoint asks for, by its middleware: one, or it is a mistake. */
export const needsOf = (middleware: ReadonlySet<unknown>): ReadonlyArray<Needs> =>
  [...middleware].flatMap((each) => (Predicate.hasProperty(each, "needs") ? [each.needs as Needs] : []))

/** Whether a server key with the right scope opens it. */
export const takesServerKey = (needs: Needs): boolean =>
  needs.credential === "server" || (needs.credential === "staff" && needs.keys !== false)
