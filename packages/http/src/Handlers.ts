import type { By, Caller } from "@countersign/core"
import type { Effect } from "effect"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import type {
  AdminToken,
  Credential,
  MerchantCredential,
  Person,
  PersonFresh,
  PublicKey,
  SignIn
} from "./contract/Security.ts"
import type { DashboardOrigin } from "./DashboardOrigin.ts"
import type { errors } from "./errors.ts"
import type { FailureOf } from "./ErrorTable.ts"

type Decoded<Part> = [Part] extends [{ readonly Type: infer T }] ? T : undefined

type CredentialOf<Endpoint> = Extract<HttpApiEndpoint.Middleware<Endpoint>, Credential>

type IsUnion<T, All = T> = [T] extends [never] ? false : T extends All ? ([All] extends [T] ? false : true) : never

/** A handler has a caller only if its credential acts for a merchant. */
type CallerOf<Endpoint> = [CredentialOf<Endpoint>] extends [MerchantCredential] ? { readonly caller: Caller } : unknown

/** Sign-in handlers and those for the agent's own sessions also get browser details and cookies. */
type BrowserOf<Endpoint> = [CredentialOf<Endpoint>] extends [SignIn | Person | PersonFresh]
  ? {
      readonly dashboardOrigin: DashboardOrigin
      readonly userAgent: string | null
      readonly sessionToken: string | null
      readonly askNonce: string | null
    }
  : unknown

/** Admin handlers get the operator as the actor of the audit log. */
type OperatorOf<Endpoint> = [CredentialOf<Endpoint>] extends [AdminToken] ? { readonly operator: By } : unknown

export interface Listening {
  /** Whether the credential is still valid and sufficient. */
  readonly stillAdmitted: Effect.Effect<boolean>
  /** The `Last-Event-ID` of a reader of server-sent events. */
  readonly lastEventId: string | null
}

/** The input of a handler: the decoded request and its caller. */
export type Input<Endpoint> = CallerOf<Endpoint> &
  BrowserOf<Endpoint> &
  OperatorOf<Endpoint> & {
    readonly payload: Decoded<HttpApiEndpoint.Payload<Endpoint>>
    readonly query: Decoded<HttpApiEndpoint.Query<Endpoint>>
    readonly params: Decoded<HttpApiEndpoint.Params<Endpoint>>
    readonly idempotencyKey: string | null
    /** The client address behind trusted proxies, in canonical form. */
    readonly clientAddress: string | null
    /** The accepted media types. Absent for calls from the merchant's own process. */
    readonly accept?: string | null
    /** For streams. Absent for calls from the merchant's own process. */
    readonly listening?: Listening
  }

/** Replaces the handler's type for an endpoint without exactly one credential, so that it cannot be implemented. */
interface CredentialMissing<Name> {
  readonly "give this endpoint exactly one of the credentials of contract/Security.ts": Name
}

/** Answers to a browser may set cookies. */
type AnswerOf<Endpoint, A> = [CredentialOf<Endpoint>] extends [SignIn | Person | PersonFresh]
  ? A | HttpApiSchema.withHeaders<A, { readonly [name: string]: string }>
  : A

type Answered<Endpoint, Failure> = Effect.Effect<
  AnswerOf<Endpoint, Decoded<HttpApiEndpoint.Success<Endpoint>>>,
  Failure
>

/**
 * The second step of an endpoint with the public key, which anyone may have. Its handler validates without writing
 * anything, and returns this function, which executes the request.
 */
type Admitted<Endpoint, Failure> = (idempotencyKey: string | null) => Answered<Endpoint, Failure>

/** The answer to a public-key request with nothing to execute. It writes no row, stores no answer and counts nothing. */
export interface Unwritten<A> {
  readonly unwritten: A
}

export const unwritten = <A>(answer: A): Unwritten<A> => ({ unwritten: answer })

/** A handler for the public key also gets the bearer token, or an empty text. */
type PublicInput<Endpoint> = Omit<Input<Endpoint>, "idempotencyKey"> & {
  readonly bearerToken: () => string
}

type Handler<Endpoint, Failure> = [CredentialOf<Endpoint>] extends [never]
  ? CredentialMissing<HttpApiEndpoint.Identifier<Endpoint>>
  : IsUnion<CredentialOf<Endpoint>> extends true
    ? CredentialMissing<HttpApiEndpoint.Identifier<Endpoint>>
    : [CredentialOf<Endpoint>] extends [PublicKey]
      ? (
          input: PublicInput<Endpoint>
        ) => Effect.Effect<Admitted<Endpoint, Failure> | Unwritten<Decoded<HttpApiEndpoint.Success<Endpoint>>>, Failure>
      : (input: Input<Endpoint>) => Answered<Endpoint, Failure>

type HandlersOf<Group, Failure> = {
  readonly [E in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Identifier<E>]: Handler<E, Failure>
}

/**
 * One handler for each endpoint of a group, by name. A missing handler is a compile error. So is a handler that fails with
 * an error that neither `Tables` (the capability's errors) nor the common errors translate.
 */
export type Handlers<Group, Tables = never> = HandlersOf<Group, FailureOf<Tables | typeof errors>>

type Groups<Api> = Api extends HttpApi.HttpApi<infer _Id, infer G> ? G : never

/** The handlers of a whole contract, by group. A missing group is a compile error. */
export type AllHandlers<Api, Failure> = {
  readonly [G in Groups<Api> as HttpApiGroup.Identifier<G>]: HandlersOf<G, Failure>
}
