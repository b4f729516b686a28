import {
  type AccountStatus,
  Agents,
  type Caller,
  type Device,
  Devices,
  Instant,
  InvalidCredentials,
  Leads,
  type Session,
  Sessions,
  SignIn,
  UnknownAgent
} from "@countersign/core"
import { Effect, Redacted } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type * as auth from "../auth/errors.ts"
import { askLife, browserOf, shown, withCookie } from "./granted.ts"
import type * as admin from "../admin/errors.ts"
import type { Handlers } from "../Handlers.ts"
import * as SessionCookie from "../SessionCookie.ts"
import type { SessionApi } from "./contract.ts"
import type { errors } from "./errors.ts"
import { OutboxPage } from "./OutboxPage.ts"

const shownSession = (session: Session, current: string) => ({
  id: session.id,
  createdAt: Instant.toIso(session.signedInAt),
  lastUsedAt: Instant.toIso(session.lastUsedAt),
  address: session.address,
  userAgent: session.userAgent,
  current: session.id === current
})

const shownMe = (agents: Agents["Service"], { sendsFiles }: Leads["Service"], accountStatus: AccountStatus) => {
  const { agent, ...more } = shown(accountStatus)
  const { digest, name } = accountStatus.agent
  return {
    ...more,
    agent: {
      ...agent,
      name: name ?? null,
      digestMinutes: digest?.minutes ?? null,
      digestRefusal: agents.digestRefusal(accountStatus.agent)
    },
    sendsFiles,
    freshUntil: Instant.toIso(accountStatus.freshUntil)
  }
}

/** Without the endpoint and the keys of the browser. */
const shownDevice = ({ addedAt, id, seenAt, userAgent }: Device) => ({
  id,
  createdAt: Instant.toIso(addedAt),
  lastSeenAt: Instant.toIso(seenAt),
  userAgent
})

/** The endpoint's credential guarantees a signed-in agent. */
const signedIn = ({ address, merchantId, person }: Caller) =>
  person === null ? Effect.fail(new InvalidCredentials()) : Effect.succeed({ address, merchantId, person })

/** The sessions of an agent who was just removed end within seconds. */
const whileEmployed = <A, E, R>(effect: Effect.Effect<A, E | UnknownAgent, R>) =>
  Effect.catchIf(
    effect,
    (error): error is UnknownAgent => error instanceof UnknownAgent,
    () => Effect.fail(new InvalidCredentials())
  ) as Effect.Effect<A, Exclude<E, UnknownAgent> | InvalidCredentials, R>

/** Answers `/v1/dashboard/sign-in`, `/v1/dashboard/sessions` and `/v1/dashboard/me`. The token goes only into a cookie. */
export const make = Effect.gen(function* () {
  const agents = yield* Agents
  const devices = yield* Devices
  const leads = yield* Leads
  const sessions = yield* Sessions
  const signIn = yield* SignIn
  const outbox = yield* OutboxPage
  const handlers: Handlers<typeof SessionApi, typeof errors | typeof auth.errors | typeof admin.errors> = {
    ways: () => Effect.succeed({ ...signIn.ways, outbox }),
    ask: ({ askNonce, clientAddress, dashboardOrigin, payload }) =>
      Effect.map(signIn.ask(payload.email, { address: clientAddress, nonce: askNonce }), (nonce) =>
        HttpApiSchema.withHeaders({
          body: {},
          headers: {
            "set-cookie": SessionCookie.set(SessionCookie.asking(dashboardOrigin), Redacted.value(nonce), askLife)
          }
        })
      ),
    confirm: (input) =>
      Effect.map(
        signIn.confirm({ ...input.payload, nonce: input.askNonce }, browserOf(input)),
        withCookie(input.dashboardOrigin)
      ),
    redeem: (input) =>
      Effect.map(signIn.redeem(input.payload.token, browserOf(input)), withCookie(input.dashboardOrigin)),
    list: Effect.fnUntraced(function* ({ caller }) {
      const who = yield* signedIn(caller)
      const items = (yield* sessions.list(who)).map((session) => shownSession(session, who.person.sessionId))
      return { items, nextCursor: null }
    }),
    changeOver: (input) =>
      Effect.map(sessions.changeOver(input.payload.merchantId, browserOf(input)), withCookie(input.dashboardOrigin)),
    signOut: Effect.fnUntraced(function* ({ caller, dashboardOrigin }) {
      const who = yield* signedIn(caller)
      // Two concurrent sign-outs both succeed.
      yield* Effect.catchTag(sessions.end(who, who.person.sessionId), "UnknownSession", () => Effect.void)
      return HttpApiSchema.withHeaders({
        body: undefined,
        headers: { "set-cookie": SessionCookie.clear(dashboardOrigin) }
      })
    }),
    revoke: Effect.fnUntraced(function* ({ caller, params }) {
      yield* sessions.end(yield* signedIn(caller), params.id)
    }),
    me: ({ sessionToken }) =>
      Effect.map(sessions.accountStatus(sessionToken ?? ""), (accountStatus) => shownMe(agents, leads, accountStatus)),
    changeMe: Effect.fnUntraced(function* ({ caller, payload, sessionToken }) {
      const { person } = yield* signedIn(caller)
      yield* agents.changeOwn({ ...caller, person }, payload).pipe(whileEmployed)
      return shownMe(agents, leads, yield* sessions.accountStatus(sessionToken ?? ""))
    }),
    devices: Effect.fnUntraced(function* ({ caller }) {
      const { person } = yield* signedIn(caller)
      const { devices: items, key, refusal } = yield* devices.list({ ...caller, person }).pipe(whileEmployed)
      return { items: items.map(shownDevice), key, refusal }
    }),
    addDevice: Effect.fnUntraced(function* ({ caller, payload, userAgent }) {
      const { person } = yield* signedIn(caller)
      return shownDevice(yield* devices.add({ ...caller, person }, payload, userAgent).pipe(whileEmployed))
    }),
    removeDevice: Effect.fnUntraced(function* ({ caller, params }) {
      const { person } = yield* signedIn(caller)
      yield* devices.remove({ ...caller, person }, params.id).pipe(whileEmployed)
    })
  }
  return handlers
})
