import { type Caller, Idempotency, InvalidField, SecretHash } from "@countersign/core"
import { Context, Effect, Predicate, Result, Stream } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type { Api } from "./Api.ts"
import * as allHandlers from "./allHandlers.ts"
import type { AppCallOptions, FileCallOptions, Methods } from "./contract/Methods.ts"
import { type KeyCredential, type PublicKey, takesServerKey } from "./contract/Security.ts"
import type { Decoded } from "./Asked.ts"
import type { Unwritten } from "./Handlers.ts"
import { contract, type Route } from "./Routes.ts"
import { OutboxPage } from "./sessions/OutboxPage.ts"
import { type Failure, mayHaveChanged, toResponse } from "./wire.ts"

/**
 * The methods of the merchant's own process: every endpoint that accepts a server key, and attribution, which apps call
 * with the public key. Instead of the SDK's login, use `initiate` and `login`.
 */
export type ProcessMethods = Omit<Methods<typeof Api, KeyCredential | PublicKey>, "sdk">

/** The endpoints that are methods. */
export const methodRoutes: ReadonlyArray<Route> = contract.filter(
  ({ group, needs }) => takesServerKey(needs) || (needs.credential === "public" && group !== "sdk")
)

/** The input of any handler: see `Input`. */
interface AnyInput extends Decoded {
  readonly idempotencyKey: string | null
  readonly clientAddress: string | null
  readonly bearerToken: () => string
  readonly accept: string | null
}

type AnyHandler = (input: AnyInput) => Effect.Effect<unknown, Failure>

type Admitted = ((idempotencyKey: string | null) => Effect.Effect<unknown, Failure>) | Unwritten<unknown>

type Options = AppCallOptions & Partial<FileCallOptions>
type Fields = { readonly [name: string]: unknown }

const noFields: Fields = Object.freeze({})

/** Removes undefined fields, as JSON does. */
const said = (fields: Fields): Fields =>
  Object.values(fields).includes(undefined)
    ? Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
    : fields

/** Converts query values to text. */
const asText = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === undefined || value === null
        ? []
        : [[name, typeof value === "number" || typeof value === "boolean" ? String(value) : value]]
    )
  )

/** Converts a path parameter to text. */
const inPath = (name: string, value: unknown): Result.Result<string, InvalidField> =>
  (typeof value === "string" && value !== "") || typeof value === "number"
    ? Result.succeed(String(value))
    : Result.fail(new InvalidField({ field: name, problem: "is missing" }))

const decoded = (decoder: Route["query"], value: unknown) =>
  decoder === undefined ? Result.succeed(undefined) : decoder(value)

/** Converts a method's arguments to a request: path parameters, then one object, then options. */
const readArgs = (route: Route, args: ReadonlyArray<unknown>) => {
  const { defaults, paramNames, payload, query } = route
  const count = paramNames.length
  const takesInput = payload !== undefined || query !== undefined
  const given = takesInput ? args[count] : undefined
  const options = (args[count + (takesInput ? 1 : 0)] ?? {}) as Options
  return Result.gen(function* () {
    if (given !== undefined && !Predicate.isObject(given))
      return yield* Result.fail(new InvalidField({ field: "request", problem: "must be an object" }))
    const fields = { ...defaults, ...said((given as Fields | undefined) ?? noFields) }
    const params: { [name: string]: string } = {}
    for (const [i, name] of paramNames.entries()) params[name] = yield* inPath(name, args[i])
    return {
      options,
      payload: yield* decoded(payload, fields),
      query: yield* decoded(query, asText(fields)),
      params: yield* decoded(route.params, params)
    }
  })
}

/** Converts a file to a `Response`. */
const responseOf = (body: Stream.Stream<Uint8Array, unknown>, headers: { readonly [name: string]: string }) =>
  new Response(Stream.toReadableStreamWith(body, Context.empty()), { headers })

const shown = (answered: unknown): unknown => {
  if (Predicate.hasProperty(answered, HttpApiSchema.WithHeadersValueTypeId)) {
    const { body, headers } = answered as unknown as HttpApiSchema.withHeaders<
      unknown,
      { readonly [name: string]: string }
    >
    return Stream.isStream(body) ? responseOf(body as Stream.Stream<Uint8Array, unknown>, headers) : body
  }
  return answered
}

/** The name of a method in traces: `webhooks.create`. */
const nameOf = ({ group, name, topLevel }: Route): string => (topLevel ? name : `${group}.${name}`)

/** Runs a call in the runtime, as a promise. */
export type Run = <A>(call: Effect.Effect<A, Failure>, method: string) => Promise<A>

/** The endpoints of the contract as methods with promises. They call the handlers directly, without HTTP. */
export const make = Effect.gen(function* () {
  const handlers = (yield* Effect.provideService(allHandlers.make, OutboxPage, null)) as unknown as {
    readonly [group: string]: { readonly [name: string]: AnyHandler }
  }
  const idempotency = yield* Idempotency

  /**
   * Runs a call once per idempotency key, like a POST over HTTP. Failures are not stored: a repeat runs again. After a
   * refusal the key is free.
   */
  const once = (caller: Caller, route: Route, key: string, text: string, run: Effect.Effect<unknown, Failure>) =>
    idempotency
      .once(
        // The key is any text, so storage keeps its hash, which has a fixed length.
        { environment: caller.environment, endpoint: `Countersign.${nameOf(route)}`, key: SecretHash.hash(key) },
        text,
        Effect.match(run, {
          onSuccess: (answer) => ({ status: 200, body: JSON.stringify(answer), failure: null }),
          onFailure: (failure) => ({ ...toResponse(failure), failure })
        }),
        ({ failure }) => failure === null,
        mayHaveChanged
      )
      .pipe(
        Effect.flatMap(({ answer, replayed }): Effect.Effect<unknown, Failure> => {
          const failure = replayed ? null : answer.failure
          return failure === null ? Effect.succeed(JSON.parse(answer.body)) : Effect.fail(failure)
        })
      )

  const callOf = (route: Route, callerIn: Effect.Effect<Caller, Failure>) => {
    const handler = handlers[route.group]![route.name]!
    const isPublic = route.needs.credential === "public"
    return Effect.fnUntraced(function* (args: ReadonlyArray<unknown>): Effect.fn.Return<unknown, Failure> {
      const { options, ...request } = yield* Effect.fromResult(readArgs(route, args))
      const caller = yield* callerIn
      const key = route.method === "POST" ? (options.idempotencyKey ?? null) : null
      const handled = handler({
        ...request,
        caller,
        idempotencyKey: key,
        clientAddress: options.clientAddress ?? null,
        bearerToken: () => options.bearerToken ?? "",
        accept: options.accept ?? null
      })
      const run = isPublic
        ? Effect.flatMap(handled as Effect.Effect<Admitted, Failure>, (admitted) =>
            typeof admitted === "function" ? admitted(key) : Effect.succeed(admitted.unwritten)
          )
        : handled
      if (key === null || !route.answerKept || isPublic) return shown(yield* run)
      return yield* once(caller, route, key, JSON.stringify([request.params, request.query, request.payload]), run)
    })
  }

  return (callerIn: Effect.Effect<Caller, Failure>, run: Run): ProcessMethods => {
    const methods: { [group: string]: unknown } = {}
    for (const route of methodRoutes) {
      const call = callOf(route, callerIn)
      const name = nameOf(route)
      const method = (...args: ReadonlyArray<unknown>) => run(call(args), name)
      if (route.topLevel) methods[route.name] = method
      else methods[route.group] = { ...(methods[route.group] as object | undefined), [route.name]: method }
    }
    return methods as unknown as ProcessMethods
  }
})
