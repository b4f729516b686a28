import {
  type BilledBy,
  type CheckCaptcha,
  Core,
  Invitations,
  type ListenedEvent,
  requireSingleEffect,
  type Services,
  type Settings,
  type WebhookSender,
  Webhooks
} from "@countersign/core"
import type { Channel, LineInfo, NumberVerifier, OptionProblem } from "@countersign/core/channel"
import type { IdentityProvider, PasskeyVerifier } from "@countersign/core/person"
import type { Storage } from "@countersign/core/storage"
import { Effect, Layer, ManagedRuntime, Redacted, Schema } from "effect"
import type { InvitationAnswer } from "./agents/contract.ts"
import { shownInvitation } from "./agents/handlers.ts"
import { checkMakeOptions } from "./checkMakeOptions.ts"
import { oldNode, runningNode } from "./checkNode.ts"
import * as ClientAddress from "./ClientAddress.ts"
import { Dispatcher } from "./Dispatcher.ts"
import { InstanceClosed } from "./Fault.ts"
import { inProcess, type PlainKeys } from "./inProcess.ts"
import * as Logging from "./Logging.ts"
import * as methods from "./methods.ts"
import * as NodeHandler from "./NodeHandler.ts"
import * as PlainClock from "./PlainClock.ts"
import type { PromiseChannel } from "./PromiseChannel.ts"
import { decoder } from "./Routes.ts"
import { type ChannelSource, gather, type LineInfoSource, type NumberVerifierSource } from "./Source.ts"
import * as Tracing from "./Tracing.ts"
import * as WebHandler from "./WebHandler.ts"
import { CountersignError, type Failure } from "./wire.ts"

/** Ways to sign in to the dashboard, in addition to codes by e-mail. */
export interface DashboardOptions {
  /** With passkeys: `Passkeys.make()` of `@countersign/passkeys`. */
  readonly passkeys?: PasskeyVerifier | undefined
  /** With your OpenID Connect provider: `Oidc.make` of `@countersign/oidc`. */
  readonly oidc?: IdentityProvider | undefined
}

export interface BillingOptions {
  /** The ISO 4217 currency of prices and balances. Default: `INR`. */
  readonly currency?: string | undefined
  /**
   * Who tops up balances, sets prices and turns billing on: callers with a key or role for it (`merchant`, the default), or
   * only this process, through its methods and the option `settings` (`operator`).
   */
  readonly billedBy?: BilledBy | undefined
}

/** How long data is kept, in days. */
export interface RetentionDays {
  readonly verificationDays: number
  readonly eventDays: number
}

export interface ServiceOptions {
  /** The storage: `PgStorage.layer({ url })`, `PgStorage.layerEmbedded({ directory })` or `MemoryStorage.layer`. */
  readonly storage: Layer.Layer<Storage, unknown>
  /** The channels that send messages. The test environment uses none. */
  readonly channels: ReadonlyArray<PromiseChannel | Channel | ChannelSource>
  /**
   * Which of several carriers of a channel is tried first, among those with the longest matching prefix: in the order of
   * `channels` (`order`, the default), or the cheapest by `price`.
   */
  readonly carriers?: "order" | "price"
  /** Verifiers of numbers without a message: `Truecaller.make` of `@countersign/truecaller`. The test environment uses none. */
  readonly verifiers?: ReadonlyArray<NumberVerifier | NumberVerifierSource>
  /**
   * Providers of facts about phone lines, for `line` of `verify` and for the guard: `Camara.lineInfo` of
   * `@countersign/camara`, `Twilio.lineInfo` of `@countersign/twilio`. Those with the longest matching prefix are asked
   * first, each for the facts that it can tell. The test environment asks none.
   */
  readonly lineInfo?: ReadonlyArray<LineInfo | LineInfoSource>
  /** How many numbers the guard looks up per hour, in each process: 1 to 1000000. Default: 1000. */
  readonly lineLookupsPerHour?: number
  /** Ways for your team to sign in to the dashboard, in addition to codes. */
  readonly dashboard?: DashboardOptions | undefined
  /** Sends webhooks: `HttpWebhookSender.layer()` of `@countersign/webhooks`. Without it, no endpoint can be registered. */
  readonly webhooks?: Layer.Layer<WebhookSender>
  /** The master secret: 32 bytes as base64url or hex. Keep it outside the database. */
  readonly secret: string
  /** Previous master secrets. Their codes and tokens are still accepted. */
  readonly previousSecrets?: ReadonlyArray<string>
  /** How long verifications and events are kept: 1 to 400 days each. Default: 30. */
  readonly retention?: RetentionDays | undefined
  /** The service's public URL: the issuer of idTokens and the base of links. Without it, no links are sent. */
  readonly baseUrl?: string | undefined
  /** Initial brand name in messages. The `brand` setting overrides it. */
  readonly name?: string | undefined
  /** The environment that the methods use. In `test` no message is sent and every code is `123456`. */
  readonly environment?: "live" | "test" | undefined
  /**
   * Keys for requests over HTTP. Without them only the methods work: the handlers answer 401 to every request that needs a
   * credential.
   */
  readonly keys?: { readonly live: PlainKeys; readonly test: PlainKeys }
  readonly billing?: BillingOptions | undefined
  /** How many campaign messages are sent per second through a channel without its own pace: 1 to 1000. Default: 50. */
  readonly campaignsPerSecond?: number
  /**
   * Called for every event of the environment, at least once, from any process, without HTTP. An event is committed together
   * with its change, so a crash loses none. If the function throws, rejects or takes longer than 20 seconds, it is called
   * again on the schedule of webhooks. Events arrive concurrently and in no order.
   */
  readonly onEvent?: ((event: ListenedEvent) => void | Promise<void>) | undefined
  /**
   * Checks the token of your captcha, which the guard's challenges then ask apps for. It has three seconds; a rejection asks
   * for a proof of work instead.
   *
   * @example
   * ```ts
   * import type { ServiceOptions } from "@countersign/http"
   *
   * const checkCaptcha: ServiceOptions["checkCaptcha"] = async (token, { clientIp }) => {
   *   const body = JSON.stringify({ token, clientIp })
   *   const response = await fetch("https://captcha.example.com/check", { method: "POST", body })
   *   return response.status === 204
   * }
   * ```
   */
  readonly checkCaptcha?: ((token: string, about: CaptchaContext) => Promise<boolean>) | undefined
  /** Settings of that environment, applied at every start. */
  readonly settings?: Partial<Settings>
  /** The path that the handlers are mounted under, if the server keeps it in the URL. Express removes it. */
  readonly basePath?: string | undefined
  /**
   * Proxies whose `X-Forwarded-For` is trusted: addresses, ranges such as `10.0.0.0/8`, `loopback` or `private`. Default:
   * none. The client address is then that of the connection.
   */
  readonly trustedProxies?: ReadonlyArray<string>
  /** Returns the client address of a request to `handler`, because a `Request` has none. Limits per address need it. */
  readonly clientAddress?: WebHandler.ClientAddressOf
  /** False disables `/metrics`. Otherwise it answers direct connections from this machine or a private network. */
  readonly metrics?: boolean
  /**
   * Receives the log instead of the console: a function of one entry, an object with a method for each level (pino,
   * Fastify's `log`), or a layer. The log never contains a secret or a code.
   */
  readonly logger?: Logging.LoggerOption
  /** Receives spans: `{ startSpan(name, options, parent) }`, or an Effect `Tracer`. */
  readonly tracer?: Tracing.TracerOption
  /** The time, for tests: `{ now() }` in milliseconds, or an Effect `Clock`. */
  readonly clock?: PlainClock.ClockOption
}

/** What is known about the request that a captcha's token came with. */
export interface CaptchaContext {
  /** The app's address. Null when it is unknown. */
  readonly clientIp: string | null
}

/** Options for packages that wrap `makeService`. */
export interface MakeOptions extends Omit<ServiceOptions, "secret"> {
  /** The master secret, or an Effect that loads it before storage opens. */
  readonly secret: string | Effect.Effect<string, unknown>
}

const SignInLinkPayload = Schema.Struct({ email: Schema.String })

/** The layers of `logger`, `tracer` and `clock`. */
const surroundings = ({ clock, logger, tracer }: MakeOptions): Layer.Layer<never> =>
  Layer.mergeAll(
    logger === undefined ? Layer.empty : Logging.layer(logger),
    tracer === undefined ? Layer.empty : Tracing.layer(tracer),
    clock === undefined ? Layer.empty : PlainClock.layer(clock)
  )

/** Builds channels, verifiers and providers of line facts. Tolerates invalid options, whose `problems` are already known. */
const partsOf = (options: Partial<MakeOptions> | undefined, problems: ReadonlyArray<OptionProblem>) => {
  const listed = <A>(given: ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
    Array.isArray(given) ? given.filter((one) => typeof one === "object" && one !== null) : []
  const parts = {
    channels: listed(options?.channels),
    verifiers: listed(options?.verifiers),
    lineInfo: listed(options?.lineInfo)
  }
  return gather(parts, { publicUrl: options?.baseUrl }, problems)
}

/** Only `true` lets an app pass, because JavaScript callers have no types. */
const captchaOf = ({ checkCaptcha }: MakeOptions): CheckCaptcha | undefined =>
  checkCaptcha === undefined
    ? undefined
    : (token, about) =>
        Effect.map(
          Effect.tryPromise(async (): Promise<unknown> => checkCaptcha(token, about)),
          (isRight) => isRight === true
        )

/** Builds the channels, then the whole service. */
const serviceOf = (options: MakeOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { channels, lineInfo, verifiers } = yield* partsOf(options, [])
      const secret = typeof options.secret === "string" ? options.secret : yield* options.secret
      const core = Core.layer({
        secret: Redacted.make(secret),
        previousSecrets: options.previousSecrets?.map((secret) => Redacted.make(secret)),
        publicUrl: options.baseUrl ?? "http://localhost",
        linkUrl: options.baseUrl ?? null,
        channels,
        carriers: { preference: options.carriers },
        verifiers,
        lineInfo,
        lineLookupsPerHour: options.lineLookupsPerHour,
        passkeys: options.dashboard?.passkeys,
        identityProvider: options.dashboard?.oidc,
        webhooks: options.webhooks,
        retention:
          options.retention === undefined
            ? undefined
            : { verifications: options.retention.verificationDays, events: options.retention.eventDays },
        currency: options.billing?.currency,
        campaignsPerSecond: options.campaignsPerSecond,
        checkCaptcha: captchaOf(options),
        billedBy: options.billing?.billedBy
      })
      const trustedProxies = yield* Effect.fromResult(ClientAddress.parseProxies(options.trustedProxies ?? []))
      return Dispatcher.layer({
        publicUrl: options.baseUrl,
        basePath: options.basePath,
        trustedProxies,
        metrics: options.metrics === false ? options.metrics : undefined,
        tracing: options.tracer !== undefined
      }).pipe(Layer.provideMerge(core), Layer.provideMerge(options.storage))
    })
  )

/**
 * The whole service as a layer, from the options of `Countersign.make`: its services, its HTTP API and its storage. `found`
 * contains the problems that a wrapping package found in its own options.
 */
export const serviceLayer = (
  options: MakeOptions,
  found: ReadonlyArray<OptionProblem> = []
): Layer.Layer<Dispatcher | Services | Storage, unknown> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const problems = checkMakeOptions(options, found)
      // Build the channels anyway to find their problems too, so that one start reports all mistakes.
      if (problems.length > 0) yield* partsOf(options, problems)
      return serviceOf(options).pipe(Layer.provideMerge(surroundings(options)))
    })
  )

/**
 * A verification service inside your own process. A process may have several. In addition to the members below, every
 * endpoint that accepts a server key is a method: `webhooks.create`, `keys.roll`, `settings.update` and so on.
 */
export interface EmbeddedService extends methods.ProcessMethods {
  /**
   * Sends a code or a link, or resends a live one. With an `idempotencyKey` (any text), repeating the call within 24 hours
   * sends nothing and resolves with the first answer, even if the first call's process died before it answered.
   */
  readonly initiate: methods.ProcessMethods["initiate"]
  /**
   * Checks a code. A wrong code resolves with `verified: false`. Of all calls with the right code, in all processes, exactly
   * one resolves without `already`.
   */
  readonly verify: methods.ProcessMethods["verify"]
  /** Exchanges the authorisation code of an approved link, once and within a minute. Returns who approved it. */
  readonly token: methods.ProcessMethods["token"]
  /** Reads a verification and its deliveries. */
  readonly status: methods.ProcessMethods["status"]
  /** Returns who was verified, by requestId or idToken. */
  readonly confirm: methods.ProcessMethods["confirm"]
  /** Creates a session token for one of your apps, which checks codes through `/v1/sdk/*` of the handlers below. */
  readonly createSession: methods.ProcessMethods["createSession"]
  /**
   * Creates a link that signs an agent in to the dashboard, once, within 72 hours. A new address becomes an owner. A new
   * link revokes the previous one.
   */
  readonly signInLink: (person: typeof SignInLinkPayload.Type) => Promise<typeof InvitationAnswer.Type>
  /** The whole `/v1` API, for servers with `Request` and `Response`. */
  readonly handler: WebHandler.WebHandler
  /** The same for Node's own server and Express. */
  readonly nodeHandler: NodeHandler.NodeHandler
  /** Finishes running work and closes storage. */
  readonly close: () => Promise<void>
}

/**
 * Starts a verification service inside your own process. The promise rejects with `InvalidOptions`, which names every
 * invalid option. It also rejects when storage cannot be opened or was written with another secret. Methods reject with
 * `CountersignError`, with the `errorCode` of the HTTP API. `found` contains the problems of a wrapping package's options.
 *
 * @example
 * ```ts
 * import { MemoryStorage } from "@countersign/core/memory"
 * import { makeService } from "@countersign/http"
 *
 * const countersign = await makeService({
 *   storage: MemoryStorage.layer,
 *   channels: [{ name: "SMS", send: async ({ to, text }) => console.log(to, text) }],
 *   secret: "00".repeat(32)
 * })
 * const { requestId } = await countersign.initiate({ identity: "+919876543210", identityType: "MOBILE" })
 * const { verified } = await countersign.verify({ requestId, otp: "123456" })
 * ```
 */
export const makeService = async (
  options: MakeOptions,
  found: ReadonlyArray<OptionProblem> = []
): Promise<EmbeddedService> => {
  const tooOld = oldNode(runningNode())
  if (tooOld !== undefined) throw new Error(tooOld)
  requireSingleEffect("@countersign/http", Effect)
  const runtime = ManagedRuntime.make(serviceLayer(options, found))
  const started = Effect.gen(function* () {
    // Methods act for the environment without its keys, so they work even if the keys are revoked.
    const callerIn = yield* inProcess(options)
    const { onEvent } = options
    if (onEvent !== undefined) {
      const webhooks = yield* Webhooks
      // The caller catches and logs what the function throws.
      yield* webhooks.listen(yield* callerIn, (event) => Effect.promise(async () => onEvent(event)))
    }
    return {
      callerIn,
      invitations: yield* Invitations,
      makeMethods: yield* methods.make,
      handler: yield* WebHandler.make({ prefix: options.basePath, clientAddress: options.clientAddress }),
      nodeHandler: yield* NodeHandler.make({ prefix: options.basePath })
    }
  })
  const { callerIn, handler, invitations, makeMethods, nodeHandler } = await runtime
    .runPromise(started)
    .catch(async (error: unknown) => {
      await runtime.dispose()
      throw error
    })

  let isClosed = false
  const closed = () => new CountersignError(new InstanceClosed())

  const run: methods.Run = (call, method) => {
    if (isClosed) return Promise.reject(closed())
    const failing = Effect.mapError(call, (failure: Failure) => new CountersignError(failure))
    const running = options.tracer === undefined ? failing : Effect.withSpan(failing, `Countersign.${method}`)
    // Closing the instance interrupts running calls.
    return runtime.runPromise(running).catch((error: unknown) => {
      throw isClosed && !(error instanceof CountersignError) ? closed() : error
    })
  }
  const readSignInLink = decoder(SignInLinkPayload, "request")

  return {
    ...makeMethods(callerIn, run),
    signInLink: (person) =>
      run(
        Effect.gen(function* () {
          const { email } = (yield* Effect.fromResult(readSignInLink(person))) as typeof SignInLinkPayload.Type
          const caller = yield* callerIn
          return shownInvitation(yield* invitations.anyLink({ merchantId: caller.merchantId, email, by: caller }))
        }),
        "signInLink"
      ),
    handler,
    nodeHandler,
    close: () => {
      isClosed = true
      return runtime.dispose()
    }
  }
}
