import { post, type User } from "./backend.ts"
import { now } from "./clock.ts"

/** How somebody wants to be let in, apart from a code. */
export type How = "email" | "sms" | "whatsapp" | "truecaller"

/** A login that waits for an approval. */
export interface Waiting {
  readonly way: "phone" | "email"
  readonly how: How
  readonly identity: string
  readonly requestId: string
  /** Two digits that the link's page asks for; null where it asks for none. */
  readonly matchNumber: string | null
  readonly expiresAt: number
  readonly againAt: number
  /** What the phone's Truecaller gave, where it is played. */
  readonly truecaller: { readonly code: string; readonly codeVerifier: string } | null
}

interface Started extends Pick<Waiting, "requestId" | "matchNumber" | "truecaller"> {
  readonly expiresAt: string
}

/** Has a link sent, the same one again while it is good. On a trusted device there is no need, and the user is signed in. */
export const startLink = async (
  to: Pick<Waiting, "way" | "how" | "identity">,
  cooldownSeconds: number
): Promise<Waiting | User> => {
  const { how, identity } = to
  const answer = await post<Started | { readonly user: User }>("api/link/start", { identity, how })
  if ("user" in answer) return answer.user
  return { ...to, ...answer, expiresAt: Date.parse(answer.expiresAt), againAt: now() + cooldownSeconds * 1000 }
}

export const isWaiting = (result: Waiting | User): result is Waiting => "requestId" in result

const key = "waiting"

/** Phones drop a page while its reader looks for the link in another app; with this it comes back as it was. */
export const keepWaiting = (waiting: Waiting | null): void => {
  try {
    if (waiting === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(waiting))
  } catch {
    // Without storage the page works as well, as long as it stays open.
  }
}

export const keptWaiting = (): Waiting | null => {
  try {
    const found: Waiting | null = JSON.parse(sessionStorage.getItem(key) ?? "null")
    return found !== null && now() < found.expiresAt ? found : null
  } catch {
    return null
  }
}
