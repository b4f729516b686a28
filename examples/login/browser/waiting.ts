import { post, type User } from "./backend.ts"
import { now } from "./clock.ts"

/** The sign-in methods other than a code. */
export type How = "email" | "sms" | "whatsapp" | "truecaller"

/** A login that waits for an approval. */
export interface Waiting {
  readonly way: "phone" | "email"
  readonly how: How
  readonly identity: string
  readonly requestId: string
  /** Two digits that the link's page asks for; null if it asks for none. */
  readonly matchNumber: string | null
  readonly expiresAt: number
  readonly againAt: number
  /** The answer of the simulated Truecaller app. */
  readonly truecaller: { readonly code: string; readonly codeVerifier: string } | null
}

interface Started extends Pick<Waiting, "requestId" | "matchNumber" | "truecaller"> {
  readonly expiresAt: string
}

/** Sends a link, or resends a valid one. A trusted device needs none: the user is signed in. */
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

/** Phones may unload the page while the user looks for the link in another app. This restores it. */
export const keepWaiting = (waiting: Waiting | null): void => {
  try {
    if (waiting === null) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(waiting))
  } catch {
    // Without storage the page works only while it stays open.
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
