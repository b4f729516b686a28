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
import * as Door from "./Door.ts"
import type { Needs } from "./contract/Security.ts"
import type { Unwritten } from "./Handlers.ts"
import type { Match, Route } from "./Routes.ts"
import { makeNoted } from "./verifications/noted.ts"
import { OutboxPage } from "./sessions/OutboxPage.ts"
import { settled } from "./settled.ts"
import { type Failure, mayHaveChanged } from "./wire.ts"
import { parseObject, parseQuery, readText, type WireRequest } from "./WireRequest.ts"
import { json, type StreamBody, type TextResponse, type WireResponse } from "./WireResponse.ts"

export interface Options extends AdminTokens {
  readonly publicUrl?: string | undefined
  readonly trustedProxies?: ClientAddress.TrustedProxies | undefined
  readonly adminAddresses?: ClientAddress.TrustedProxies | undefined
  readonly outboxPage?: string | undefined
}

/** What carries a request out, once it is known to be right. */
interface Prepared {
  readonly run: (idempotencyKey: string | null) => Effect.Effect<WireResponse, Failure>
  /** Whether its answer may be kept: where nothing is written, nothing is kept of the request either. */
  readonly kept: boolean
}

/** What carries out a request with the public key, and answers what goes on the wire. */
type Admitted = ((idempotencyKey: string | null) => Effect.Effect<unknown, Failure>) | Unwritten<unknown>

/** What a handler of any endpoint looks like, once its types have done their work. */
type AnyHandler = (input: Asked) => Effect.Effect<unknown, Failure>

/** What is part of a key in storage has a bound; a longer path, which no id of ours makes, stands there as its hash. */
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

/** A body that declares a small size is read as small: its bytes are not counted. */
const limitOf = ({ route: { largestBody } }: Match, request: WireRequest) =>
  mayBeLarge(request) ? largestBody : Math.min(largestBody, smallBody)

const textOf = (match: Match, request: WireRequest) =>
  match.route.payload === undefined
    ? Effect.succeed("")
    : readText(request, limitOf(match, request), match.route.bodyOptional)

/** Who owns the bodies of requests without credentials, together. */
const strangers: BodyOwner = { name: "strangers", pool: "anybody" }

/** What apps send, which are in everybody's hands, takes none of the room that the merchant's own requests have. */
const ownerOf = ({ credential }: Needs, caller: Caller | null): BodyOwner => {
  if (caller === null) return strangers
  return credential === "public" || credential === "session"
    ? { name: `${caller.merchantId}/public`, pool: "anybody" }
    : { name: caller.merchantId, pool: "merchants" }
}

/** What a repeat with one idempotency key has to be equal in: with another query, too, it is another request. */
const repeatable = ({ query }: WireRequest, text: string): string => (query === "" ? text : `${text}\n?${query}`)

type WithHeaders = HttpApiSchema.withHeaders<unknown, WireResponse["headers"]>

/** What a handler answered, as it goes on the wire: nothing, a file, or JSON. */
const write = (status: number, answered: unknown): WireResponse => {
  const { body, headers } = Predicate.hasProperty(answered, HttpApiSchema.WithHeadersValueTypeId)
    ? (answered as unknown as WithHeaders)
    : { body: answered, headers: {} }
  if (body === undefined) return { status, headers, body: "" }
  return Stream.isStream(body) ? { status, headers, body: told(body as StreamBody) } : json(status, body, headers)
}

/** A file that breaks off is the operator's to know: its client sees a cut connection, and no reason. */
const told = (body: StreamBody): StreamBody =>
  Stream.tapCause(body, (cause) =>
    Cause.hasInterruptsOnly(cause)
      ? Effect.void
      : Effect.logWarning("A file could not be passed on whole", describeCause(cause))
  )

const scopeOf = (request: WireRequest, caller: Caller | null, key: string): IdempotencyStore.Scope => ({
  environment: caller?.environment ?? "operator",
  endpoint: `${request.method} ${request.path.length > longestEndpoint ? SecretHash.hash(request.path) : request.path}`,
  // What one person was answered is not somebody else's to hear again.
  key: caller?.person == null ? key : `${caller.person.agentId}.${key}`
})

/**
 * Serves the endpoints of the contract. Everything is checked in one order: credentials, idempotency key, body, its
 * shape; then the handler runs, once for its key.
 */
export const make = Effect.fnUntraced(function* (
  { adminAddresses, outboxPage, publicUrl, trustedProxies = [], ...tokens }: Options,
  bodyMemory: BodyMemory
) {
  const operatorOf = tokens.adminToken === undefined ? null : makeOperatorOf(tokens)
  const around = { trustedProxies, adminAddresses, operatorOf, doorOf: Door.make(publicUrl) }
  const handlers = (yield* Effect.provideService(allHandlers.make, OutboxPage, outboxPage ?? null)) as unknown as {
    readonly [group: string]: { readonly [name: string]: AnyHandler }
  }
  const idempotency = yield* Idempotency
  const refusedAddresses = yield* RefusedAddresses
  const authenticate = yield* Authenticate.make(around)
  const noted = yield* makeNoted
  const listPlaces = new ListPlaces()

  /** Asked again while an answer goes on. Storage that is away for a moment ends none. */
  const stillAdmitted = ({ needs }: Route, request: WireRequest) =>
    Effect.match(authenticate(needs, request), {
      onFailure: ({ _tag }) => _tag === "StoreError",
      onSuccess: () => true
    })

  /** Decodes a request, and makes ready what carries it out. For the public key, this is where it is refused. */
  const prepare = Effect.fnUntraced(function* (
    { params, route }: Match,
    request: WireRequest,
    caller: Caller | null,
    text: string
  ): Effect.fn.Return<Prepared, Failure> {
    const payload = yield* Effect.fromResult(decode(route.payload, () => parseObject(text)))
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

  /** Runs once for its key; a repeat gets what `keep` let be kept. */
  const once = Effect.fnUntraced(function* (
    scope: IdempotencyStore.Scope,
    text: string,
    run: Effect.Effect<WireResponse, Failure>,
    keep: (status: number) => boolean
  ) {
    // A key comes with a POST, which is never answered with a file.
    const answered = settled(run) as Effect.Effect<TextResponse>
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

  /** With the public key, shape and address are checked before anything is written, and a refusal leaves no row. */
  const servePublic = Effect.fnUntraced(function* (match: Match, request: WireRequest, caller: Caller) {
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
        // Refused now, but carried out before with this key: its first answer is still its answer.
        Effect.flatMap(
          idempotency.knows(scope),
          (known): Effect.Effect<Prepared, Failure> =>
            known ? Effect.succeed({ kept: true, run: () => Effect.fail(failure) }) : Effect.fail(failure)
        )
      )
    )
    const prepared = yield* refused(preparing)
    const run = refused(prepared.run(key))
    return yield* prepared.kept ? once(scope, repeatable(request, text), run, (status) => status < 400) : run
  })

  /** With any other credential, or none. */
  const serveOthers = Effect.fnUntraced(function* (
    match: Match,
    request: WireRequest,
    caller: Caller | null,
    key: string | null
  ) {
    const { needs } = match.route
    const refused = noted(match.route, caller)
    const text = yield* refused("")(textOf(match, request))
    // A body may take half a minute to come: whoever was sent away meanwhile arranges nothing with it.
    const arranges =
      (needs.credential === "staff" || needs.credential === "person") && match.route.payload !== undefined
    const current = arranges ? yield* authenticate(needs, request) : caller
    const run = refused(text)(Effect.flatMap(prepare(match, request, current, text), (prepared) => prepared.run(key)))
    // What signs somebody in works once, and was answered with a cookie: nobody gets that answer again.
    if (key === null || needs.credential === "signIn" || !match.route.answerKept) return yield* run
    // Whoever has an app has a session token: its refusals are not kept either.
    const keep = (status: number) => (needs.credential === "session" ? status < 400 : status !== 429 && status < 500)
    return yield* once(scopeOf(request, current, key), repeatable(request, text), run, keep)
  })

  return Effect.fnUntraced(function* (match: Match, request: WireRequest): Effect.fn.Return<WireResponse, Failure> {
    const { needs } = match.route
    const caller = yield* authenticate(needs, request)
    if (needs.credential === "public" && caller !== null) {
      return yield* noted(match.route, caller)("")(
        refusedAddresses.limit(
          caller,
          ClientAddress.of(request, trustedProxies),
          settled(bodyMemory.within(ownerOf(needs, caller), request, (counted) => servePublic(match, counted, caller))),
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
