import {
  type BilledBy,
  Core,
  Invitations,
  type ListenedEvent,
  oneEffect,
  type Services,
  type Settings,
  type WebhookSender,
  Webhooks
} from "@countersign/core"
import type { Channel, NumberVerifier, OptionProblem } from "@countersign/core/channel"
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
import { type ChannelSource, gather, type NumberVerifierSource } from "./Source.ts"
import * as Tracing from "./Tracing.ts"
import * as WebHandler from "./WebHandler.ts"
import { CountersignError, type Failure } from "./wire.ts"

/** How people sign in to the dashboard, beside codes by e-mail. */
export interface DashboardOptions {
  /** With passkeys: `Passkeys.make()` of `@countersign/passkeys`. */
  readonly passkeys?: PasskeyVerifier | undefined
  /** With your provider of OpenID Connect: `Oidc.make` of `@countersign/oidc`. */
  readonly oidc?: IdentityProvider | undefined
}

/** Money. */
export interface BillingOptions {
  /** The currency of prices and balances, as ISO 4217. `INR` by default. */
  readonly currency?: string | undefined
  /**
   * Who pays in, sets prices and says whether sends are paid: whoever has keys and a role for it (`merchant`, the default),
   * or this process alone (`operator`): its methods, and its option `settings`.
   */
  readonly billedBy?: BilledBy | undefined
}

/** How long something is kept, in days. */
export interface RetentionDays {
  readonly verificationDays: number
  readonly eventDays: number
}

export interface ServiceOptions {
  /** Where everything is kept: `PgStorage.layer({ url })`, `PgStorage.layerEmbedded({ directory })`, `MemoryStorage.layer`. */
  readonly storage: Layer.Layer<Storage, unknown>
  /** How codes travel. In the test environment none is used. */
  readonly channels: ReadonlyArray<PromiseChannel | Channel | ChannelSource>
  /**
   * Which of several carriers of a channel takes a message first, among those of the longest prefix: as they are listed
   * in `channels` (`order`, if nothing is said), or the cheapest by their `price`.
   */
  readonly carriers?: "order" | "price"
  /** Who verifies numbers without a message: `Truecaller.make` of `@countersign/truecaller`. In the test environment none is asked. */
  readonly verifiers?: ReadonlyArray<NumberVerifier | NumberVerifierSource>
  /** How the people who work for you sign in to the dashboard, beside codes. */
  readonly dashboard?: DashboardOptions | undefined
  /** What carries webhooks: `HttpWebhookSender.layer()` of `@countersign/webhooks`. Without it none can be registered. */
  readonly webhooks?: Layer.Layer<WebhookSender>
  /** The master secret: 32 bytes as base64url or hex. Keep it outside the database. */
  readonly secret: string
  /** Older master secrets, whose codes and tokens are still accepted. */
  readonly previousSecrets?: ReadonlyArray<string>
  /** How long verifications and events are kept: 1 to 400 days each; 30 by default. */
  readonly retention?: RetentionDays | undefined
  /** Where the service is reached from outside: the issuer of idTokens, and where links lead. Without it none is sent. */
  readonly baseUrl?: string | undefined
  /** Whom codes speak of, at first; afterwards the setting `brand` decides. */
  readonly name?: string | undefined
  /** Which environment the methods speak for. In `test` nothing is sent and every code is `123456`. */
  readonly environment?: "live" | "test" | undefined
  /**
   * Keys for requests over HTTP. Without them only the methods can be used: the handlers answer 401 to whatever asks for
   * a credential.
   */
  readonly keys?: { readonly live: PlainKeys; readonly test: PlainKeys }
  /** Money: see `BillingOptions`. */
  readonly billing?: BillingOptions | undefined
  /** How many messages of campaigns go out a second over a channel that states no pace: 1 to 1000, 50 if nothing is said. */
  readonly campaignsPerSecond?: number
  /**
   * Called for every event of the environment, at least once, whichever process it happened in: no HTTP, no secret. An event
   * is committed with what it tells of, so a crash loses none. If it throws, rejects or takes longer than 20 seconds, it is called
   * again, by the schedule of webhooks. Several events come at once, and in no order.
   */
  readonly onEvent?: ((event: ListenedEvent) => void | Promise<void>) | undefined
  /** Settings of that environment, applied at every start. */
  readonly settings?: Partial<Settings>
  /** The path that the handlers are mounted under, where the server leaves it in the URL. Express cuts it off. */
  readonly basePath?: string | undefined
  /**
   * Proxies whose `X-Forwarded-For` is believed: addresses, ranges as `10.0.0.0/8`, `loopback`, `private`. Default none:
   * a request then comes from whoever holds the connection.
   */
  readonly trustedProxies?: ReadonlyArray<string>
  /** Where a request to `handler` came from, which a `Request` does not say. Limits for each caller depend on it. */
  readonly clientAddress?: WebHandler.ClientAddressOf
  /** False serves no `/metrics`. Otherwise they answer direct connections from this machine or a private network. */
  readonly metrics?: boolean
  /**
   * Where the log goes, instead of the console: a function of one entry, an object with a method for each level (pino,
   * Fastify's `log`), or a layer. No secret and no code is in it.
   */
  readonly logger?: Logging.LoggerOption
  /** Who collects spans: `{ startSpan(name, options, parent) }`, or an Effect `Tracer`. */
  readonly tracer?: Tracing.TracerOption
  /** The time, for tests: `{ now() }` in milliseconds, or an Effect `Clock`. */
  readonly clock?: PlainClock.ClockOption
}

/** What somebody knows who makes the service from options of their own. */
export interface MakeOptions extends Omit<ServiceOptions, "secret"> {
  /** The master secret, or how to come by it before storage is opened. */
  readonly secret: string | Effect.Effect<string, unknown>
}

const SignInLinkPayload = Schema.Struct({ email: Schema.String })

/** Where the log and the spans go, and whose time it is. */
const surroundings = ({ clock, logger, tracer }: MakeOptions): Layer.Layer<never> =>
  Layer.mergeAll(
    logger === undefined ? Layer.empty : Logging.layer(logger),
    tracer === undefined ? Layer.empty : Tracing.layer(tracer),
    clock === undefined ? Layer.empty : PlainClock.layer(clock)
  )

/** Channels and verifiers from options that may be anything, where `problems` tell so. */
const partsOf = (options: Partial<MakeOptions> | undefined, problems: ReadonlyArray<OptionProblem>) => {
  const listed = <A>(given: ReadonlyArray<A> | undefined): ReadonlyArray<A> =>
    Array.isArray(given) ? given.filter((one) => typeof one === "object" && one !== null) : []
  const parts = { channels: listed(options?.channels), verifiers: listed(options?.verifiers) }
  return gather(parts, { publicUrl: options?.baseUrl }, problems)
}

/** The whole service, once every channel has been made. */
const serviceOf = (options: MakeOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const { channels, verifiers } = yield* partsOf(options, [])
      const secret = typeof options.secret === "string" ? options.secret : yield* options.secret
      const core = Core.layer({
        secret: Redacted.make(secret),
        previousSecrets: options.previousSecrets?.map((secret) => Redacted.make(secret)),
        publicUrl: options.baseUrl ?? "http://localhost",
        linkUrl: options.baseUrl ?? null,
        channels,
        carriers: { preference: options.carriers },
        verifiers,
        passkeys: options.dashboard?.passkeys,
        identityProvider: options.dashboard?.oidc,
        webhooks: options.webhooks,
        retention:
          options.retention === undefined
            ? undefined
            : { verifications: options.retention.verificationDays, events: options.retention.eventDays },
        currency: options.billing?.currency,
        campaignsPerSecond: options.campaignsPerSecond,
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
 * The whole service as a layer, from the options of `Countersign.make`: its services, its HTTP interface and its storage.
 * `found` is what somebody with options of their own has found wrong with them.
 */
export const serviceLayer = (
  options: MakeOptions,
  found: ReadonlyArray<OptionProblem> = []
): Layer.Layer<Dispatcher | Services | Storage, unknown> =>
  Layer.unwrap(
    Effect.gen(function* () {
      const problems = checkMakeOptions(options, found)
      // Channels are made even so, for what is wrong with them: one start tells of all mistakes.
      if (problems.length > 0) yield* partsOf(options, problems)
      return serviceOf(options).pipe(Layer.provideMerge(surroundings(options)))
    })
  )

/**
 * A verification service inside your own process. Several can live side by side. Beside what is named here it has every
 * endpoint that takes a server key as a method: `webhooks.create`, `keys.roll`, `settings.update` and so on.
 */
export interface EmbeddedService extends methods.ProcessMethods {
  /**
   * Sends a code or a link, or a live one again. With an `idempotencyKey`, any text of your own, a repeat of the call within
   * 24 hours sends nothing and resolves with the first answer, even if the first call's process died before it answered.
   */
  readonly initiate: methods.ProcessMethods["initiate"]
  /**
   * Checks a code. A wrong one resolves with `verified: false`. Of all calls that bring the right one, exactly one
   * resolves without `already`, whichever process it reaches.
   */
  readonly verify: methods.ProcessMethods["verify"]
  /** Takes the authorisation code of an approved link, once, within a minute, and answers who approved it. */
  readonly token: methods.ProcessMethods["token"]
  /** Reads a verification and its deliveries. */
  readonly status: methods.ProcessMethods["status"]
  /** Answers who was verified, by requestId or idToken. */
  readonly confirm: methods.ProcessMethods["confirm"]
  /** Makes a session token for one of your apps, which checks codes through `/v1/sdk/*` of the handlers below. */
  readonly createSession: methods.ProcessMethods["createSession"]
  /**
   * A link that signs somebody in to the dashboard, once, within 72 hours. Where nobody with this address works here yet,
   * it makes them an owner. A new link ends the one before.
   */
  readonly signInLink: (person: typeof SignInLinkPayload.Type) => Promise<typeof InvitationAnswer.Type>
  /** The whole `/v1` interface, for servers that speak `Request` and `Response`. */
  readonly handler: WebHandler.WebHandler
  /** The same for Node's own server and Express. */
  readonly nodeHandler: NodeHandler.NodeHandler
  /** Finishes what runs, and lets go of storage. */
  readonly close: () => Promise<void>
}

/**
 * Starts a verification service inside your own process. The promise rejects with `InvalidOptions`, which names every
 * option that is wrong, when storage cannot be opened, or when it was written with another secret; the methods reject
 * with `CountersignError`, whose `errorCode` is that of the HTTP interface. `found` is what a package that has options of
 * its own has found wrong with them.
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
  oneEffect("@countersign/http", Effect)
  const runtime = ManagedRuntime.make(serviceLayer(options, found))
  const started = Effect.gen(function* () {
    // The methods speak for the environment, whatever becomes of its keys.
    const callerIn = yield* inProcess(options)
    const { onEvent } = options
    if (onEvent !== undefined) {
      const webhooks = yield* Webhooks
      // What it throws is caught where it is called, and named in the log by its place.
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
    // A call that is under way when the instance is closed is interrupted.
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
