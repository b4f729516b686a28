import { computed, signal } from "@preact/signals"
import { useLayoutEffect, useMemo } from "preact/hooks"
import { environment, go, paths } from "../address/here.ts"
import { call } from "../api/call.ts"
import { type Recent, recentsOf } from "../session/recent.ts"
import { me, ownerOf } from "../session/session.ts"
import { say } from "./paletteWords.ts"
import type { PaletteEntry } from "./rank.ts"

/** The end of a number or address. Whoever looks over a shoulder learns no more than in a list. */
const masked = (contact: string): string => `…${contact.slice(-4)}`

const loaders: { readonly [R in Recent["route"]]: (id: string) => Promise<string | null> } = {
  verification: async (requestId) => {
    const reply = await call("GET /v1/dashboard/verifications/:requestId", { params: { requestId } })
    return reply.ok ? reply.body.identity : null
  },
  person: async (person) => {
    const reply = await call("GET /v1/dashboard/people/:person", { params: { person } })
    return reply.ok ? reply.body.identity : null
  },
  lead: async (id) => {
    const reply = await call("GET /v1/dashboard/leads/:id", { params: { id: Number(id) } })
    return reply.ok ? (reply.body.name ?? masked(reply.body.contact)) : null
  },
  campaign: async (id) => {
    const reply = await call("GET /v1/dashboard/campaigns/:id", { params: { id } })
    return reply.ok ? reply.body.name : null
  },
  webhook: async (id) => {
    const reply = await call("GET /v1/dashboard/webhooks/:id", { params: { id } })
    return reply.ok ? new URL(reply.body.url).host : null
  }
}

const addressOf = ({ id, route }: Recent): string =>
  route === "verification" ? paths.verification({ requestId: id }) : paths[route]({ id })

/**
 * The items that the user opened last. The browser stores their references alone, and the service tells what they are
 * called, as far as the role may see it. Items that are gone are left out.
 */
export const useRecents = () => {
  const labels = useMemo(() => signal<ReadonlyMap<Recent, string | null>>(new Map()), [])
  const user = me.peek()
  const recents = useMemo(() => (user == null ? [] : recentsOf(ownerOf(user), environment.peek())), [])
  useLayoutEffect(() => {
    for (const recent of recents)
      void loaders[recent.route](recent.id).then(
        (label) => (labels.value = new Map(labels.peek()).set(recent, label)),
        () => {}
      )
  }, [])
  return useMemo(
    () =>
      computed(
        (): ReadonlyArray<PaletteEntry> =>
          recents
            .filter((recent) => labels.value.get(recent) !== null)
            .map((recent) => ({
              id: `recent-${recent.route}-${recent.id}`,
              kind: say.kinds[recent.route],
              label: labels.value.get(recent) ?? "…",
              run: () => go(addressOf(recent))
            }))
      ),
    []
  )
}
