import type { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import type { Stream } from "effect"
import type { KeyCredential, PublicKey } from "./Security.ts"

/** Options of a call. */
export interface CallOptions {
  /**
   * For a POST: any text that you choose. Repeating the call with the same key within 24 hours has no effect and resolves
   * with the first answer, even if the first call's process died before it answered.
   */
  readonly idempotencyKey?: string | undefined
}

/** Options of a call that an app could also make with its public key. */
export interface AppCallOptions extends CallOptions {
  /** The IP address of the end user. Limits apply per address; calls without one share a limit. */
  readonly clientAddress?: string | undefined
  /** The token that proves ownership, such as the `launchToken` of a launch. */
  readonly bearerToken?: string | undefined
}

/** Options of a call that returns a file. */
export interface FileCallOptions extends CallOptions {
  readonly accept: "text/csv"
}

type Flat<T> = { readonly [K in keyof T]: T[K] }

/** The parameters of a path, in order. For `/v1/dashboard/webhooks/:id/deliveries/:deliveryId`: `id`, `deliveryId`. */
type ParamsIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? [Name, ...ParamsIn<`/${More}`>]
    : [Rest]
  : []

type Decoded<Part> = [Part] extends [{ readonly Type: infer T }] ? T : never

type ParamOf<E, Name> =
  Decoded<HttpApiEndpoint.Params<E>> extends infer P ? (Name extends keyof P ? P[Name] : never) : never

/** Path parameters come first, named `id` and `innerId`. */
type PathArgs<E> = E extends { readonly path: infer Path extends string }
  ? ParamsIn<Path> extends [infer First, infer Second]
    ? [id: ParamOf<E, First>, innerId: ParamOf<E, Second>]
    : ParamsIn<Path> extends [infer Only]
      ? [id: ParamOf<E, Only>]
      : []
  : never

/** An optional field may also be undefined. */
type Given<T> = { readonly [K in keyof T]: {} extends Pick<T, K> ? T[K] | undefined : T[K] }

/** A cursor is the opaque text from the previous page. */
type Query<T> = { readonly [K in keyof T]: K extends "cursor" ? string : T[K] }

type PartOf<Part, Shaped> = [Part] extends [never] ? unknown : Given<Shaped>

/** The query and the body as one object. */
type InputOf<E> = Flat<
  PartOf<HttpApiEndpoint.Payload<E>, Defaulted<E, Decoded<HttpApiEndpoint.Payload<E>>>> &
    PartOf<HttpApiEndpoint.Query<E>, Query<Decoded<HttpApiEndpoint.Query<E>>>>
>

/** `mode` defaults to OTP: see `MethodDefaults`. */
type Defaulted<E, T> =
  HttpApiEndpoint.Identifier<E> extends "initiate"
    ? T extends { readonly mode: infer Mode }
      ? Omit<T, "mode"> & { readonly mode?: Mode }
      : T
    : T

type InputArgs<E> = [HttpApiEndpoint.Payload<E>, HttpApiEndpoint.Query<E>] extends [never, never]
  ? []
  : {} extends InputOf<E>
    ? [input?: InputOf<E>]
    : [input: InputOf<E>]

type IsFile<A> =
  A extends HttpApiSchema.withHeaders<infer _Body, infer _Headers>
    ? true
    : A extends Stream.Stream<infer _A, infer _E, infer _R>
      ? true
      : false

type Json<A> = A extends unknown ? (IsFile<A> extends true ? never : A) : never
type File<A> = A extends unknown ? (IsFile<A> extends true ? A : never) : never

type AnswerOf<E> =
  HttpApiEndpoint.Success<E> extends infer S ? (S extends { readonly Type: infer T } ? T : never) : never

type OptionsOf<E> = [HttpApiEndpoint.Middleware<E> & { readonly [K in never]: unknown }] extends [PublicKey]
  ? AppCallOptions
  : CallOptions

/** An endpoint that answers with JSON or a file. It returns JSON unless the options ask for the file. */
type Both<E> = {
  (...args: [...PathArgs<E>, ...InputArgs<E>, options?: OptionsOf<E>]): Promise<Json<AnswerOf<E>>>
  (...args: [...PathArgs<E>, ...Required<InputArgs<E>>, options: FileCallOptions]): Promise<Response>
}

type Rehearsal = { readonly dryRun: true }

/** An endpoint with a dry run. With `dryRun: true` it returns the forecast, which has no id. */
type Rehearsed<E> = {
  (
    ...args: [...PathArgs<E>, input: InputOf<E> & Rehearsal, options?: OptionsOf<E>]
  ): Promise<Exclude<AnswerOf<E>, { readonly id: string }>>
  (
    ...args: [...PathArgs<E>, input: Omit<InputOf<E>, "dryRun">, options?: OptionsOf<E>]
  ): Promise<Extract<AnswerOf<E>, { readonly id: string }>>
}

/** An endpoint as a method: path parameters, then query and body as one object, then options. */
export type Method<E> = "dryRun" extends keyof InputOf<E>
  ? Rehearsed<E>
  : [File<AnswerOf<E>>] extends [never]
    ? (...args: [...PathArgs<E>, ...InputArgs<E>, options?: OptionsOf<E>]) => Promise<Json<AnswerOf<E>>>
    : [Json<AnswerOf<E>>] extends [never]
      ? (...args: [...PathArgs<E>, ...InputArgs<E>, options?: OptionsOf<E>]) => Promise<Response>
      : Both<E>

/** The endpoints of a group that take one of these credentials. */
type Taking<Group, Credential> =
  HttpApiGroup.Endpoints<Group> extends infer E
    ? E extends { readonly "~Middleware": infer M }
      ? [M] extends [Credential]
        ? E
        : never
      : never
    : never

type MethodsOf<E> = { readonly [One in E as HttpApiEndpoint.Identifier<One>]: Method<One> }

type Groups<Api> = Api extends HttpApi.HttpApi<infer _Id, infer G> ? G : never

type TopLevel<Group> = Group extends { readonly topLevel: true } ? Group : never
type Named<Group> = Group extends { readonly topLevel: true } ? never : Group

type NameOf<Group, Credential> = [Taking<Group, Credential>] extends [never] ? never : HttpApiGroup.Identifier<Group>

/** All endpoints of a contract that accept one of these credentials, as methods by group or at the top level. */
export type Methods<Api, Credential = KeyCredential> = Flat<
  MethodsOf<Taking<TopLevel<Groups<Api>>, Credential>> & {
    readonly [G in Named<Groups<Api>> as NameOf<G, Credential>]: MethodsOf<Taking<G, Credential>>
  }
>
