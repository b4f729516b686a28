import { Clock, Context, Effect, Layer } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import { noRecords } from "../../foundation/outbox/Change.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { isSameMembership, membershipKey, openingOf } from "./Opening.ts"
import { openedBy, opens, type Passkey, without } from "./Passkey.ts"
import { PasskeyStore } from "./PasskeyStore.ts"
import { UnknownAgent } from "./StaffError.ts"
import { StaffStore } from "./StaffStore.ts"
import { UnknownBinding, UnknownPasskey } from "./SignInError.ts"
import { SubjectStore } from "./SubjectStore.ts"
import { unlinkSubject } from "./unlinkSubject.ts"

/** An agent's credentials, apart from codes and links. */
export interface Credentials {
  /** Oldest first. */
  readonly passkeys: ReadonlyArray<Passkey>
  /** The agent's identities at OpenID Connect providers. */
  readonly subjects: ReadonlyArray<SubjectStore.KnownSubject>
}

/**
 * The passkeys and provider bindings of a merchant's agents, for its owners. Removal affects this merchant only: the
 * same passkey may open agents of other merchants.
 *
 * @example
 * ```ts
 * import { AgentCredentials, type Caller } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const afterTheft = Effect.fn(function* (owner: Caller, agentId: number) {
 *   const credentials = yield* AgentCredentials
 *   const { passkeys } = yield* credentials.list(owner, agentId)
 *   yield* Effect.forEach(passkeys, ({ id }) => credentials.removePasskey(owner, agentId, id))
 * })
 * ```
 */
export class AgentCredentials extends Context.Service<
  AgentCredentials,
  {
    readonly list: (caller: Caller, agentId: number) => Effect.Effect<Credentials, UnknownAgent | StoreError>
    /** Ends a passkey's access to this agent. */
    readonly removePasskey: (
      caller: Caller,
      agentId: number,
      id: string
    ) => Effect.Effect<void, UnknownAgent | UnknownPasskey | Contended | StoreError>
    /** Removes the provider's access to this agent. The person can bind a provider again after a code or a link. */
    readonly removeBindings: (
      caller: Caller,
      agentId: number
    ) => Effect.Effect<void, UnknownAgent | UnknownBinding | Contended | StoreError>
  }
>()("@countersign/core/person/AgentCredentials") {
  static readonly layer: Layer.Layer<AgentCredentials, never, Outbox | PasskeyStore | StaffStore | SubjectStore> =
    Layer.effect(
      AgentCredentials,
      Effect.gen(function* () {
        const people = yield* StaffStore
        const passkeys = yield* PasskeyStore
        const subjects = yield* SubjectStore
        const commitPasskey = yield* Outbox.committer(PasskeyStore)
        const commitSubject = yield* Outbox.committer(SubjectStore)

        const agentOf = Effect.fnUntraced(function* ({ merchantId }: Caller, agentId: number) {
          const membership = yield* people.membership(merchantId, agentId)
          return membership === null ? yield* new UnknownAgent() : membership.agent
        })

        const list = Effect.fnUntraced(function* (caller: Caller, agentId: number) {
          const agent = yield* agentOf(caller, agentId)
          const [passkeysOfAddress, subjectsOfAddress] = [
            yield* passkeys.list(agent.canonical),
            yield* subjects.list(agent.canonical)
          ]
          const credentials: Credentials = {
            passkeys: passkeysOfAddress.filter((passkey) => opens(passkey, agent) !== null),
            subjects: subjectsOfAddress.filter((subject) => openingOf(subject.opens, agent) !== null)
          }
          return credentials
        })

        const removePasskey = Effect.fnUntraced(function* (caller: Caller, agentId: number, id: string) {
          const agent = yield* agentOf(caller, agentId)
          const passkey = (yield* list(caller, agentId)).passkeys.find((each) => each.id === id)
          if (passkey === undefined) return yield* new UnknownPasskey()
          const agents = (yield* people.memberships(passkey.canonical)).map((membership) => membership.agent)
          const now = yield* Clock.currentTimeMillis
          const explicit = { ...passkey, opens: openedBy(passkey, agents, []) }
          const ownKey = membershipKey(agent)
          yield* commitPasskey({
            ...noRecords,
            passkey: without(explicit, (opening) => isSameMembership(opening, ownKey), now),
            audited: [
              auditEntry(
                { ...caller, environment: null },
                {
                  action: "passkey.removed",
                  target: { kind: "passkey", id },
                  from: { name: passkey.name, agentId }
                },
                now
              )
            ]
          })
        })

        const removeBindings = Effect.fnUntraced(function* (caller: Caller, agentId: number) {
          const agent = yield* agentOf(caller, agentId)
          const { subjects: linkedSubjects } = yield* list(caller, agentId)
          if (linkedSubjects.length === 0) return yield* new UnknownBinding()
          const now = yield* Clock.currentTimeMillis
          for (const subject of linkedSubjects) {
            yield* commitSubject({ ...noRecords, ...unlinkSubject(subject, [agent], caller, now) })
          }
        })

        return AgentCredentials.of({
          list,
          removePasskey: (caller, agentId, id) => untilCommitted(removePasskey(caller, agentId, id)),
          removeBindings: (caller, agentId) => untilCommitted(removeBindings(caller, agentId))
        })
      })
    )
}
