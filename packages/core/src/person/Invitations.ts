import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { LinkAddress } from "../delivery/LinkAddress.ts"
import * as Identity from "../identity/Identity.ts"
import { InvalidField } from "../identity/InvalidField.ts"
import type { Caller } from "../merchant/Caller.ts"
import { UnknownMerchant } from "../merchant/MerchantError.ts"
import { MerchantStore } from "../merchant/MerchantStore.ts"
import { auditEntry, type By } from "../outbox/AuditEntry.ts"
import { Outbox } from "../outbox/Outbox.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import type { Instant, Millis } from "../time/Instant.ts"
import { type Agent, withinOwnRole } from "./Agent.ts"
import { AboveOwnRole, UnknownAgent } from "./PersonError.ts"
import { personChange, PersonStore } from "./PersonStore.ts"
import { hashOf, newToken } from "./sessionToken.ts"
import { linkLife, type SignInLink } from "./SignInLink.ts"

/** A link that signs somebody in, once. Its token is in this answer, and nowhere else. */
export interface Invitation {
  readonly url: Redacted.Redacted
  readonly token: Redacted.Redacted
  readonly expiresAt: Instant
}

const invalid = (field: string, problem: string) => new InvalidField({ field, problem })

/** The page that redeems a link, on the dashboard at this address. What follows a `#` no server is ever told. */
export const redeemUrl = (dashboard: string, token: string): string => `${dashboard}#redeem=${token}`

/**
 * Links that bring people in: an invitation, which makes somebody active, and a link to sign in with. There is one for
 * each person: a new one ends the one before.
 *
 * @example
 * ```ts
 * import { Invitations } from "@countersign/core"
 * import { operator } from "@countersign/core/storage"
 * import { Effect } from "effect"
 *
 * const firstOwner = Effect.fn(function* (merchantId: string) {
 *   const invitations = yield* Invitations
 *   return yield* invitations.inviteOwner(merchantId, "asha@example.com", { actor: operator, address: null })
 * })
 * ```
 */
export class Invitations extends Context.Service<
  Invitations,
  {
    /** The one form of an e-mail address; `field` is what the caller calls it. */
    readonly checkEmail: (field: string, email: string) => Effect.Effect<string, InvalidField>
    /** A link for an agent of the caller's merchant who has not come in yet. Only owners invite owners. */
    readonly invite: (
      caller: Caller,
      agentId: number
    ) => Effect.Effect<Invitation, InvalidField | UnknownAgent | AboveOwnRole | Contended | StoreError>
    /** Makes an owner of a merchant and their link; for one who was invited before, another link. */
    readonly inviteOwner: (
      merchantId: string,
      email: string,
      by: By,
      life?: Millis
    ) => Effect.Effect<Invitation, InvalidField | UnknownMerchant | Contended | StoreError>
    /** A link to sign in with, for somebody who works for a merchant, where no mail is sent or none arrives. */
    readonly signInLink: (
      merchantId: string,
      email: string,
      by: By
    ) => Effect.Effect<Invitation, InvalidField | UnknownMerchant | Contended | StoreError>
  }
>()("@countersign/core/person/Invitations") {
  static readonly layer: Layer.Layer<Invitations, never, LinkAddress | MerchantStore | Outbox | PersonStore> =
    Layer.effect(
      Invitations,
      Effect.gen(function* () {
        const { dashboard } = yield* LinkAddress
        const merchants = yield* MerchantStore
        const store = yield* PersonStore
        const commit = yield* Outbox.door(PersonStore)

        /** Commits a new link in the place of the one before, with whoever it is for if they are new, too. */
        const give = Effect.fnUntraced(function* (agent: Agent, by: By, life: Millis = linkLife) {
          const now = yield* Clock.currentTimeMillis
          const before = yield* store.linkOf(agent.merchantId, agent.id)
          const token = newToken()
          const link: SignInLink = {
            merchantId: agent.merchantId,
            id: agent.id,
            version: before?.version ?? 0,
            era: agent.era,
            hash: hashOf(token)!,
            createdAt: now,
            expiresAt: now + life,
            usedAt: null
          }
          const isNew = agent.version === 0
          const { email, role, status } = agent
          const entry = auditEntry(
            { merchantId: agent.merchantId, environment: null, actor: by.actor, address: by.address },
            {
              action: status === "INVITED" ? "agent.invited" : "agent.linked",
              target: { kind: "agent", id: String(agent.id) },
              to: { ...(isNew ? { email, role, status } : {}), expiresAt: link.expiresAt }
            },
            now
          )
          yield* commit(personChange({ agents: isNew ? [agent] : [], links: [link], audited: [entry] }))
          const invitation: Invitation = {
            url: Redacted.make(redeemUrl(dashboard ?? "/dashboard", token)),
            token: Redacted.make(token),
            expiresAt: link.expiresAt
          }
          return invitation
        })

        const parse = (email: string, field = "email") =>
          Effect.mapError(Effect.fromResult(Identity.parse("EMAIL", email.trim())), ({ problem }) =>
            invalid(field, problem)
          )

        /** Who has an address at a merchant; null where nobody has. */
        const find = Effect.fnUntraced(function* (merchantId: string, canonical: string) {
          if ((yield* merchants.get(merchantId)) === null) return yield* new UnknownMerchant({ id: merchantId })
          const posts = yield* store.posts(canonical)
          return posts.find(({ agent }) => agent.merchantId === merchantId)?.agent ?? null
        })

        const invite = (caller: Caller, agentId: number) =>
          untilCommitted(
            Effect.gen(function* () {
              const post = yield* store.post(caller.merchantId, agentId)
              if (post === null) return yield* new UnknownAgent()
              const { agent } = post
              if (!withinOwnRole(caller.person, [agent.role])) return yield* new AboveOwnRole()
              if (agent.status !== "INVITED") {
                return yield* invalid(
                  "id",
                  `is of somebody who is ${agent.status}: only who is INVITED gets an invitation`
                )
              }
              return yield* give(agent, caller)
            })
          )

        const inviteOwner = Effect.fnUntraced(function* (merchantId: string, email: string, by: By, life?: Millis) {
          const { canonical, spelling } = yield* parse(email)
          return yield* untilCommitted(
            Effect.gen(function* () {
              const known = yield* find(merchantId, canonical)
              if (known !== null && known.status !== "INVITED") {
                return yield* invalid("email", `belongs to somebody who works here already, and is ${known.status}`)
              }
              if (known !== null) return yield* give(known, by, life)
              const agent: Agent = {
                merchantId,
                id: yield* store.nextAgent(merchantId),
                version: 0,
                email: spelling,
                canonical,
                role: "OWNER",
                status: "INVITED",
                era: 0,
                removedAt: null,
                createdAt: yield* Clock.currentTimeMillis
              }
              return yield* give(agent, by, life)
            })
          )
        })

        const signInLink = Effect.fnUntraced(function* (merchantId: string, email: string, by: By) {
          const { canonical } = yield* parse(email)
          return yield* untilCommitted(
            Effect.gen(function* () {
              const known = yield* find(merchantId, canonical)
              if (known === null) return yield* invalid("email", "is nobody's who works here; invite them first")
              if (known.status === "SUSPENDED") {
                return yield* invalid("email", "belongs to somebody who is SUSPENDED, and cannot sign in")
              }
              return yield* give(known, by)
            })
          )
        })

        return Invitations.of({
          checkEmail: (field, email) => Effect.map(parse(email, field), ({ canonical }) => canonical),
          invite,
          inviteOwner,
          signInLink
        })
      })
    )
}
