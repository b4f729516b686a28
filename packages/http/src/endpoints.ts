import { type Caller, describeCause, Idempotency, InvalidField, RefusedAddresses, SecretHash } from "@countersign/core"
import type { IdempotencyStore } from "@countersign/core/storage"
import { Cause, Effect, Predicate, Result, Stream } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { type AdminTokens, makeOperatorOf } from "./AdminTokens.ts"
import { type BodyMemory, type BodyOwner, mayBeLarge, smallBody } from "./BodyMemory.ts"
import { ListPlaces } from "./ListPlaces.ts"
import * as allHandlers from "./allHandlers.ts"
import { Asked } from "./Asked.ts"
import * as Authenticate from "./Authenticate.ts"
import * as ClientAddress from "./ClientAddress.ts"
import * as DashboardOrigin from "./DashboardOrigin.ts"
import type { Needs } from "./contract/Security.ts"
import type { Unwritten } from "./Handlers.ts"
import type { Match, Route } from "./Routes.ts"
import { makeNoted } from "./verifications/noted.ts"
import { OutboxPage } from "./sessions/OutboxPage.ts"
import { respond } from "./respond.ts"
import { type Failure, mayHaveChanged } from "./wire.ts"
import { type BodyFailure, parseObject, parseQuery, readBytes, readText, type WireRequest } from "./WireRequest.ts"
import { json, type StreamBody, type TextResponse, type WireResponse } from "./WireResponse.ts"

export interface Options extends AdminTokens {
  readonly publicUrl?: string | undefined
  readonly trustedProxies?: ClientAddress.TrustedProxies | undefined
  readonly adminAddresses?: ClientAddress.TrustedProxies | undefined
  readonly outboxPage?: string | undefined
}

/** A validated request, ready to run. */
interface Prepared {
  readonly run: (idempotencyKey: string | null) => Effect.Effect<WireResponse, Failure>
  /** Whether its answer may be stored. False for requests that write nothing. */
  readonly kept: boolean
}

/** Runs a request with the public key. */
type Admitted = ((idempotencyKey: string | null) => Effect.Effect<unknown, Failure>) | Unwritten<unknown>

/** A handler of any endpoint, without its specific types. */
type AnyHandler = (input: Asked) => Effect.Effect<unknown, Failure>

/** Keys in storage have a length limit. A longer path, which no valid id produces, is replaced by its hash. */
const longestEndpoint = 512
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const decode = (decoder: Route["query"], value: () => Result.Result<unknown, Failure>) =>
  decoder === undefined ? Result.succeed(undefined) : Result.flatMap(value(), decoder)

/** The request's idempotency key, which only a POST may have. */
const keyOf = ({ route }: Match, request: WireRequest) => {
  const key = route.method === "POST" ? request.header("idempotency-key") : undefined
  if (key === undefined) return Effect.succeed(null)
  return uuid.test(key)
    ? Effect.succeed(key.toLowerCase())
    : Effect.fail(new InvalidField({ field: "Idempotency-Key", problem: "must be a UUID" }))
}

/** The limit of the body. A body that declares a small size is limited to it, because its bytes are not counted. */
const limitOf = ({ route: { largestBody } }: Match, request: WireRequest) =>
  mayBeLarge(request) ? largestBody : Math.min(largestBody, smallBody)

/** The body: bytes if the endpoint takes a file, otherwise text. */
const bodyOf = (match: Match, request: WireRequest): Effect.Effect<string | Uint8Array, BodyFailure> =>
  match.route.takesBytes ? readBytes(request, limitOf(match, request)) : textOf(match, request)

const textOf = (match: Match, request: WireRequest) =>
  match.route.payload === undefined
    ? Effect.succeed("")
    : readText(request, limitOf(match, request), match.route.bodyOptional)

/** The common owner of all bodies without credentials. */
const strangers: BodyOwner = { name: "strangers", pool: "anybody" }

/** Bodies from apps, which anyone can send, do not count against the merchant's own requests. */
const ownerOf = ({ credential }: Needs, caller: Caller | null): BodyOwner => {
  if (caller === null) return strangers
  return credential === "public" || credential === "session"
    ? { name: `${caller.merchantId}/public`, pool: "anybody" }
    : { name: caller.merchantId, pool: "merchants" }
}

/** The text that must be equal in a repeat with the same idempotency key: the body and the query. */
const repeatable = ({ query }: WireRequest, text: string): string => (query === "" ? text : `${text}\n?${query}`)

/** The body without the answer to a challenge: with it, the request is still the one that was refused. */
const withoutAnswer = (text: string): string => {
  if (!text.includes('"challenge"')) return text
  return Result.match(parseObject(text), {
    onFailure: () => text,
    onSuccess: ({ challenge: _, ...rest }) => JSON.stringify(rest)
  })
}

/** The text that stands for a body in a comparison. A file is compared by its hash, computed outside this thread. */
const comparable = (body: string | Uint8Array): Effect.Effect<string> =>
  typeof body === "string"
    ? Effect.succeed(body)
    : Effect.map(
        Effect.promise(() => crypto.subtle.digest("SHA-256", body as Uint8Array<ArrayBuffer>)),
        (hash) => `SHA-256 ${Buffer.from(hash).toString("hex")}`
      )

type WithHeaders = HttpApiSchema.withHeaders<unknown, WireResponse["headers"]>

/** Converts a handler's result: nothing, a file, or JSON. */
const write = (status: number, answered: unknown): WireResponse => {
  const { body, headers } = Predicate.hasProperty(answered, HttpApiSchema.WithHeadersValueTypeId)
    ? (answered as unknown as WithHeaders)
    : { body: answered, headers: {} }
  if (body === undefined) return { status, headers, body: "" }
  return Stream.isStream(body) ? { status, headers, body: told(body as StreamBody) } : json(status, body, headers)
}

/** Logs a file that breaks off, because its client sees only a closed connection. */
const told = (body: StreamBody): StreamBody =>
  Stream.tapCause(body, (cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logWarning("A file download broke off", describeCause(cause))
  )

const scopeOf = (request: WireRequest, caller: Caller | null, key: string): IdempotencyStore.Scope => ({
  environment: caller?.environment ?? "operator",
  endpoint: `${request.method} ${request.path.length > longestEndpoint ? SecretHash.hash(request.path) : request.path}`,
  // One agent's stored answer must not be returned to another agent.
  key: caller?.person == null ? key : `${caller.person.agentId}.${key}`
})

/**
 * Serves the endpoints of the contract. Checks in this order: credentials, idempotency key, body, shape. Then runs the
 * handler, once per idempotency key.
 */
export const make = Effect.fnUntraced(function* (
  { adminAddresses, outboxPage, publicUrl, trustedProxies = [], ...tokens }: Options,
  bodyMemory: BodyMemory
) {
  const operatorOf = tokens.adminToken === undefined ? null : makeOperatorOf(tokens)
  const around = { trustedProxies, adminAddresses, operatorOf, originOf: DashboardOrigin.make(publicUrl) }
  const handlers = (yield* Effect.provideService(allHandlers.make, OutboxPage, outboxPage ?? null)) as unknown as {
    readonly [group: string]: { readonly [name: string]: AnyHandler }
  }
  const idempotency = yield* Idempotency
  const refusedAddresses = yield* RefusedAddresses
  const authenticate = yield* Authenticate.make(around)
  const noted = yield* makeNoted
  const listPlaces = new ListPlaces()

  /** Checked repeatedly during a stream. Unreachable storage does not end a stream. */
  const stillAdmitted = ({ needs }: Route, request: WireRequest) =>
    Effect.match(authenticate(needs, request), {
      onFailure: ({ _tag }) => _tag === "StoreError",
      onSuccess: () => true
    })

  /** Decodes a request and prepares its execution. Refuses invalid requests with the public key. */
  const prepare = Effect.fnUntracedEager(function* (
    { params, route }: Match,
    request: WireRequest,
    caller: Caller | null,
    body: string | Uint8Array
  ): Effect.fn.Return<Prepared, Failure> {
    const payload = yield* Effect.fromResult(
      decode(route.payload, () => (typeof body === "string" ? parseObject(body) : Result.succeed(body)))
    )
    const query = yield* Effect.fromResult(decode(route.query, () => parseQuery(request.query)))
    const decodedParams = yield* Effect.fromResult(decode(route.params, () => Result.succeed(params)))
    const handler = handlers[route.group]![route.name]!
    const decoded = { payload, query, params: decodedParams, caller }
    const statusFor = (answered: unknown) =>
      route.statusOf === null || !Predicate.isObjectKeyword(answered) ? route.status : route.statusOf(answered)
    const written = Effect.map((answered: unknown) => write(statusFor(answered), answered))
    if (route.needs.credential !== "public")
      return {
        kept: true,
        run: (idempotencyKey) =>
          written(handler(new Asked(decoded, idempotencyKey, request, around, stillAdmitted(route, request))))
      }
    const admitted = (yield* handler(
      new Asked(decoded, null, request, around, stillAdmitted(route, request))
    )) as Admitted
    return typeof admitted === "function"
      ? { kept: true, run: (idempotencyKey) => written(admitted(idempotencyKey)) }
      : { kept: false, run: () => written(Effect.succeed(admitted.unwritten)) }
  })

  /** Runs once per idempotency key. A repeat gets the stored answer, if `keep` allowed storing it. */
  const once = Effect.fnUntraced(function* (
    scope: IdempotencyStore.Scope,
    text: string,
    run: Effect.Effect<WireResponse, Failure>,
    keep: (status: number) => boolean
  ) {
    // Only a POST has a key, and a POST never answers with a file.
    const answered = respond(run) as Effect.Effect<TextResponse>
    const { answer, replayed } = yield* idempotency.once(
      scope,
      text,
      answered,
      ({ status }) => keep(status),
      // A refusal leaves no record.
      mayHaveChanged
    )
    if (!replayed) return answer
    return {
      status: answer.status,
      body: answer.body,
      headers: { "content-type": "application/json", "idempotency-replayed": "true" }
    }
  })

  /** With the public key, shape and address are checked before any write, so a refusal leaves no row. */
  const servePublic = Effect.fnUntracedEager(function* (match: Match, request: WireRequest, caller: Caller) {
    const refusal = noted(match.route, caller)
    const key = yield* refusal("")(keyOf(match, request))
    const text = yield* refusal("")(textOf(match, request))
    const refused = refusal(text)
    if (key === null) {
      return yield* refused(Effect.flatMap(prepare(match, request, caller, text), (prepared) => prepared.run(null)))
    }
    const scope = scopeOf(request, caller, key)
    const preparing = prepare(match, request, caller, text).pipe(
      Effect.catch((failure) =>
        // The request is refused now, but ran earlier with this key: return the first answer.
        Effect.flatMap(
          idempotency.knows(scope),
          (known): Effect.Effect<Prepared, Failure> =>
            known ? Effect.succeed({ kept: true, run: () => Effect.fail(failure) }) : Effect.fail(failure)
        )
      )
    )
    const prepared = yield* refused(preparing)
    const run = refused(prepared.run(key))
    return yield* prepared.kept
      ? once(scope, repeatable(request, withoutAnswer(text)), run, (status) => status < 400)
      : run
  })

  /** With any other credential, or none. */
  const serveOthers = Effect.fnUntracedEager(function* (
    match: Match,
    request: WireRequest,
    caller: Caller | null,
    key: string | null
  ) {
    const { needs } = match.route
    const refused = noted(match.route, caller)
    const body = yield* refused("")(bodyOf(match, request))
    // A body may take half a minute to arrive. Check again that the caller still has access.
    const arranges =
      (needs.credential === "staff" || needs.credential === "person") && match.route.payload !== undefined
    const current = arranges ? yield* authenticate(needs, request) : caller
    const run = refused(typeof body === "string" ? body : "")(
      Effect.flatMapEager(prepare(match, request, current, body), (prepared) => prepared.run(key))
    )
    // A sign-in works once and its answer sets a cookie, so the answer must not be stored.
    if (key === null || needs.credential === "signIn" || !match.route.answerKept) return yield* run
    // Anyone with an app has a session token, so its refusals are not stored either.
    const keep = (status: number) => (needs.credential === "session" ? status < 400 : status !== 429 && status < 500)
    const text = repeatable(request, yield* comparable(body))
    return yield* once(scopeOf(request, current, key), text, run, keep)
  })

  return Effect.fnUntracedEager(function* (
    match: Match,
    request: WireRequest
  ): Effect.fn.Return<WireResponse, Failure> {
    const { needs } = match.route
    const caller = yield* authenticate(needs, request)
    if (needs.credential === "public" && caller !== null) {
      return yield* noted(match.route, caller)("")(
        refusedAddresses.limit(
          caller,
          ClientAddress.of(request, trustedProxies),
          respond(bodyMemory.within(ownerOf(needs, caller), request, (counted) => servePublic(match, counted, caller))),
          ({ status }) => status >= 400 && status < 500,
          match.route.refusable
        )
      )
    }
    const key = yield* noted(match.route, caller)("")(keyOf(match, request))
    if (match.route.takesPlace && caller !== null) {
      return yield* listPlaces.within(
        caller.environment,
        match.route.bodyHoldsPlace,
        serveOthers(match, request, caller, key)
      )
    }
    if (match.route.payload === undefined) return yield* serveOthers(match, request, caller, key)
    return yield* bodyMemory.within(ownerOf(needs, caller), request, (counted) =>
      serveOthers(match, counted, caller, key)
    )
  })
})
