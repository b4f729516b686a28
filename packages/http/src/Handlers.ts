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
import type { Door } from "./Door.ts"
import type { errors } from "./errors.ts"
import type { FailureOf } from "./ErrorTable.ts"

type Decoded<Part> = [Part] extends [{ readonly Type: infer T }] ? T : undefined

type CredentialOf<Endpoint> = Extract<HttpApiEndpoint.Middleware<Endpoint>, Credential>

type IsUnion<T, All = T> = [T] extends [never] ? false : T extends All ? ([All] extends [T] ? false : true) : never

/** Whom a handler acts for: known where the endpoint's credential speaks for a merchant, and nowhere else. */
type CallerOf<Endpoint> = [CredentialOf<Endpoint>] extends [MerchantCredential] ? { readonly caller: Caller } : unknown

/** What a session is made from, and its cookie, where somebody signs in, or sees to how they are signed in. */
type BrowserOf<Endpoint> = [CredentialOf<Endpoint>] extends [SignIn | Person | PersonFresh]
  ? {
      readonly door: Door
      readonly userAgent: string | null
      readonly sessionToken: string | null
      readonly askNonce: string | null
    }
  : unknown

/** The operator, as what they do is put down to them. */
type OperatorOf<Endpoint> = [CredentialOf<Endpoint>] extends [AdminToken] ? { readonly operator: By } : unknown

export interface Listening {
  /** Whether whoever asked may still ask this. */
  readonly stillAdmitted: Effect.Effect<boolean>
  /** Where a reader of server-sent events stopped before. */
  readonly lastEventId: string | null
}

/** What a handler is given: the decoded request, and whom it speaks for. */
export type Input<Endpoint> = CallerOf<Endpoint> &
  BrowserOf<Endpoint> &
  OperatorOf<Endpoint> & {
    readonly payload: Decoded<HttpApiEndpoint.Payload<Endpoint>>
    readonly query: Decoded<HttpApiEndpoint.Query<Endpoint>>
    readonly params: Decoded<HttpApiEndpoint.Params<Endpoint>>
    readonly idempotencyKey: string | null
    /** The address the request came from, past the proxies that are trusted, in its one canonical spelling. */
    readonly clientAddress: string | null
    /** The media types that whoever asks would take; nothing where the merchant's own process asks. */
    readonly accept?: string | null
    /** For answers that go on; nothing where the merchant's own process asks. */
    readonly listening?: Listening
  }

/** Stands where a handler would, for an endpoint that nobody may write one for yet. */
interface CredentialMissing<Name> {
  readonly "give this endpoint exactly one of the credentials of contract/Security.ts": Name
}

/** What a browser is answered may set its cookie. */
type AnswerOf<Endpoint, A> = [CredentialOf<Endpoint>] extends [SignIn | Person | PersonFresh]
  ? A | HttpApiSchema.withHeaders<A, { readonly [name: string]: string }>
  : A

type Answered<Endpoint, Failure> = Effect.Effect<
  AnswerOf<Endpoint, Decoded<HttpApiEndpoint.Success<Endpoint>>>,
  Failure
>

/**
 * The second half of an endpoint that takes the public key, which is in everybody's hands: its handler checks and
 * writes nothing, and answers what carries the request out.
 */
type Admitted<Endpoint, Failure> = (idempotencyKey: string | null) => Answered<Endpoint, Failure>

/** What the public key is answered where there is nothing to carry out: not a row is written for it, kept or counted. */
export interface Unwritten<A> {
  readonly unwritten: A
}

export const unwritten = <A>(answer: A): Unwritten<A> => ({ unwritten: answer })

/** A handler for the public key is given the bearer token beside it, too; empty where there is none. */
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
 * One handler for each endpoint of a group, by name. An endpoint without one does not compile, nor a handler that fails
 * with what neither `Tables`, the capability's own errors, nor the errors of every request have a row for.
 */
export type Handlers<Group, Tables = never> = HandlersOf<Group, FailureOf<Tables | typeof errors>>

type Groups<Api> = Api extends HttpApi.HttpApi<infer _Id, infer G> ? G : never

/** The handlers of a whole contract, by group. A group without them does not compile. */
export type AllHandlers<Api, Failure> = {
  readonly [G in Groups<Api> as HttpApiGroup.Identifier<G>]: HandlersOf<G, Failure>
}
