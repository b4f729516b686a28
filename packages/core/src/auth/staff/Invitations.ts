import { Clock, Context, Effect, Layer, Redacted } from "effect"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { LinkAddress } from "../../foundation/delivery/LinkAddress.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { inField, type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { UnknownMerchant } from "../../account/merchant/MerchantError.ts"
import { MerchantStore } from "../../account/merchant/MerchantStore.ts"
import { auditEntry, type By } from "../../foundation/outbox/AuditEntry.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import { type Instant, type Millis, toIso } from "../../foundation/time/Instant.ts"
import { type Agent, mayActFor, withinOwnRole } from "./Agent.ts"
import { AboveOwnRole, UnknownAgent } from "./StaffError.ts"
import { StaffStore } from "./StaffStore.ts"
import { freshToken, hashOf } from "./sessionToken.ts"
import { linkLife, type SignInLink } from "./SignInLink.ts"

/** A link that signs a person in, once. Its token is only in this result. */
export interface Invitation {
  readonly url: Redacted.Redacted
  readonly token: Redacted.Redacted
  readonly expiresAt: Instant
}

/** The agent that a link is for, and the actor who creates it. */
export interface Wanted {
  readonly merchantId: string
  readonly email: string
  readonly by: By
  /** How long a link is valid by default: 72 hours. */
  readonly life?: Millis | undefined
}

type LinkRefused = InvalidField | UnknownMerchant | Contended | StoreError

const suspendedProblem = (agent: Agent | null): Problem.Problem | null =>
  agent?.status === "SUSPENDED" ? Problem.of("AGENT_SUSPENDED") : null

/** The dashboard page that redeems a link. Browsers do not send the part after `#` to any server. */
export const redeemUrl = (dashboard: string, token: string): string => `${dashboard}#redeem=${token}`

/**
 * Manages sign-in links. An invitation makes an agent active; a sign-in link signs in an active agent. Each agent has
 * at most one link; a new link replaces it.
 *
 * @example
 * ```ts
 * import { Invitations } from "@countersign/core"
 * import { operator } from "@countersign/core/storage"
 * import { Effect } from "effect"
 *
 * const firstOwner = Effect.fn(function* (merchantId: string) {
 *   const invitations = yield* Invitations
 *   const by = { actor: operator, address: null }
 *   return yield* invitations.inviteOwner({ merchantId, email: "asha@example.com", by })
 * })
 * ```
 */
export class Invitations extends Context.Service<
  Invitations,
  {
    /** The canonical form of an e-mail address. Errors name the caller's `field`. */
    readonly checkEmail: (field: string, email: string) => Effect.Effect<string, InvalidField>
    /**
     * A link for an agent of the caller's merchant: an invitation, or for an ACTIVE agent a sign-in link, which only an
     * owner may make. Only owners invite owners.
     */
    readonly invite: (
      caller: Caller,
      agentId: number
    ) => Effect.Effect<Invitation, InvalidField | UnknownAgent | AboveOwnRole | Contended | StoreError>
    /** Makes an owner of a merchant and their link. An invited owner gets another link. */
    readonly inviteOwner: (target: Wanted) => Effect.Effect<Invitation, LinkRefused>
    /** A sign-in link for an existing agent, for deployments where mail is not sent or does not arrive. */
    readonly signInLink: (target: Wanted) => Effect.Effect<Invitation, LinkRefused>
    /** A link for the agent with this address. When the address is unknown, makes an owner. */
    readonly anyLink: (target: Wanted) => Effect.Effect<Invitation, LinkRefused>
  }
>()("@countersign/core/person/Invitations") {
  static readonly layer: Layer.Layer<Invitations, never, LinkAddress | MerchantStore | StaffStore> = Layer.effect(
    Invitations,
    Effect.gen(function* () {
      const { dashboard } = yield* LinkAddress
      const merchants = yield* MerchantStore
      const store = yield* StaffStore

      /** Commits a new link in place of the previous link, together with the agent if the agent is new. */
      const createLink = Effect.fnUntraced(function* (agent: Agent, by: By, life: Millis = linkLife) {
        const now = yield* Clock.currentTimeMillis
        const previousLink = yield* store.linkOf(agent.merchantId, agent.id)
        const token = yield* freshToken
        const link: SignInLink = {
          merchantId: agent.merchantId,
          id: agent.id,
          version: previousLink?.version ?? 0,
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
            to: { ...(isNew ? { email, role, status } : {}), expiresAt: toIso(link.expiresAt) }
          },
          now
        )
        // It has no events or jobs, so the outbox has nothing to add.
        yield* store.commit(StaffStore.change({ agents: isNew ? [agent] : [], links: [link], audited: [entry] }))
        return invitationOf(token, link)
      })

      const invitationOf = (token: string, { expiresAt }: SignInLink): Invitation => ({
        url: Redacted.make(redeemUrl(dashboard ?? "/dashboard", token)),
        token: Redacted.make(token),
        expiresAt
      })

      /** Returns the link that an earlier try of this request gave an agent, unless another link replaced it. */
      const givenBefore = Effect.fnUntraced(function* ({ id, merchantId }: Pick<Agent, "id" | "merchantId">) {
        const token = yield* freshToken
        const link = yield* store.linkOf(merchantId, id)
        return link !== null && link.hash === hashOf(token) ? invitationOf(token, link) : null
      })

      const parse = (email: string, field = "email") =>
        Effect.mapError(Effect.fromResult(Identity.parse("EMAIL", email.trim())), inField(field))

      /** Returns the agent with this address at a merchant, or null. */
      const find = Effect.fnUntraced(function* (merchantId: string, canonical: string) {
        if ((yield* merchants.get(merchantId)) === null) return yield* new UnknownMerchant({ id: merchantId })
        const memberships = yield* store.memberships(canonical)
        return memberships.find(({ agent }) => agent.merchantId === merchantId)?.agent ?? null
      })

      const invite = (caller: Caller, agentId: number) =>
        untilCommitted(
          Effect.gen(function* () {
            const membership = yield* store.membership(caller.merchantId, agentId)
            if (membership === null) return yield* new UnknownAgent()
            const { agent } = membership
            if (!withinOwnRole(caller, [agent.role])) return yield* new AboveOwnRole()
            if (agent.status === "SUSPENDED") {
              return yield* invalidField("id", Problem.of("AGENT_SUSPENDED"))
            }
            // The holder of the link signs in as that agent. So an admin must not get a colleague's link, and a key
            // must not get any link.
            if (agent.status === "ACTIVE" && !mayActFor(caller)) return yield* new AboveOwnRole()
            return yield* RequestKey.once(givenBefore(agent), createLink(agent, caller))
          })
        )

      /** A link for the agent with an address at a merchant, unless `refuses` objects. */
      const linkFor = Effect.fnUntraced(function* (
        { by, email, life, merchantId }: Wanted,
        refuses: (agent: Agent | null) => Problem.Problem | null
      ) {
        const { canonical, spelling } = yield* parse(email)
        return yield* untilCommitted(
          Effect.gen(function* () {
            const agent = yield* find(merchantId, canonical)
            const earlierInvitation = agent !== null && (yield* RequestKey.isRepeat) ? yield* givenBefore(agent) : null
            if (earlierInvitation !== null) return earlierInvitation
            const problem = refuses(agent)
            if (problem !== null) return yield* invalidField("email", problem)
            return yield* createLink(agent ?? (yield* newOwner(merchantId, spelling, canonical)), by, life)
          })
        )
      })

      const newOwner = Effect.fnUntraced(function* (merchantId: string, email: string, canonical: string) {
        const agent: Agent = {
          merchantId,
          id: yield* store.next(merchantId, "agent"),
          version: 0,
          email,
          canonical,
          role: "OWNER",
          status: "INVITED",
          era: 0,
          agreedAt: null,
          removedAt: null,
          createdAt: yield* Clock.currentTimeMillis
        }
        return agent
      })

      return Invitations.of({
        checkEmail: (field, email) => Effect.map(parse(email, field), ({ canonical }) => canonical),
        invite,
        inviteOwner: (target) =>
          linkFor(target, (agent) =>
            agent === null || agent.status === "INVITED" ? null : Problem.of("AGENT_STATUS", { status: agent.status })
          ),
        signInLink: (target) =>
          linkFor(target, (agent) => (agent === null ? Problem.of("AGENT_UNKNOWN") : suspendedProblem(agent))),
        anyLink: (target) => linkFor(target, suspendedProblem)
      })
    })
  )
}
