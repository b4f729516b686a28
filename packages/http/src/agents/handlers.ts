import {
  type Agent,
  AgentCredentials,
  Agents,
  type Credentials,
  Instant,
  type Invitation,
  Invitations,
  type Team,
  Teams,
  UnknownAgent,
  UnknownTeam
} from "@countersign/core"
import { Effect, Redacted } from "effect"
import type { Handlers } from "../Handlers.ts"
import type { errors } from "../leads/errors.ts"
import type * as passkeys from "../passkeys/errors.ts"
import type { AgentApi, TeamApi } from "./contract.ts"

const shown = ({ createdAt, email, id, role, status }: Agent) => ({
  id,
  email,
  role,
  status,
  createdAt: Instant.toIso(createdAt)
})

/** An invitation with its link, which is returned only once. */
export const shownInvitation = ({ expiresAt, url }: Invitation) => ({
  url: Redacted.value(url),
  expiresAt: Instant.toIso(expiresAt)
})

const shownCredentials = ({ passkeys, subjects }: Credentials) => ({
  passkeys: passkeys.map(({ createdAt, id, lastUsedAt, name }) => ({
    id,
    name,
    createdAt: Instant.toIso(createdAt),
    lastUsedAt: Instant.toIsoOrNull(lastUsedAt)
  })),
  providers: subjects.map(({ issuer, knownSince }) => ({ issuer, since: Instant.toIso(knownSince) }))
})

const shownTeam = ({ assignment, createdAt, id, members, name, takesNew }: Team) => ({
  id,
  name,
  assignment,
  members,
  takesNew,
  createdAt: Instant.toIso(createdAt)
})

/** Answers `/v1/dashboard/agents` and `/v1/dashboard/teams`. */
export const make = Effect.gen(function* () {
  const agents = yield* Agents
  const credentials = yield* AgentCredentials
  const invitations = yield* Invitations
  const teams = yield* Teams
  const handlers: Handlers<typeof AgentApi, typeof errors | typeof passkeys.errors> = {
    list: ({ caller }) => Effect.map(agents.list(caller), (found) => ({ items: found.map(shown), nextCursor: null })),
    create: ({ caller, payload }) => Effect.map(agents.create(caller, payload), shown),
    get: Effect.fnUntraced(function* ({ caller, params }) {
      const found = (yield* agents.list(caller)).find(({ id }) => id === params.id)
      return found === undefined ? yield* new UnknownAgent() : shown(found)
    }),
    invite: ({ caller, params }) => Effect.map(invitations.invite(caller, params.id), shownInvitation),
    update: ({ caller, params, payload }) => Effect.map(agents.change(caller, params.id, payload), shown),
    delete: ({ caller, params }) => agents.remove(caller, params.id),
    credentials: ({ caller, params }) => Effect.map(credentials.list(caller, params.id), shownCredentials),
    removePasskey: ({ caller, params }) => credentials.removePasskey(caller, params.id, params.passkeyId),
    removeProvider: ({ caller, params }) => credentials.removeBindings(caller, params.id)
  }
  const teamHandlers: Handlers<typeof TeamApi, typeof errors> = {
    list: ({ caller }) =>
      Effect.map(teams.list(caller), (found) => ({ items: found.map(shownTeam), nextCursor: null })),
    create: ({ caller, payload }) => Effect.map(teams.create(caller, payload), shownTeam),
    get: Effect.fnUntraced(function* ({ caller, params }) {
      const found = (yield* teams.list(caller)).find(({ id }) => id === params.id)
      return found === undefined ? yield* new UnknownTeam() : shownTeam(found)
    }),
    update: ({ caller, params, payload }) => Effect.map(teams.change(caller, params.id, payload), shownTeam),
    delete: ({ caller, params }) => teams.remove(caller, params.id)
  }
  return { agents: handlers, teams: teamHandlers }
})
