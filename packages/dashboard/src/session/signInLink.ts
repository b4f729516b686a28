import { signal } from "@preact/signals"
import { call } from "../api/call.ts"
import { say } from "../words/say.ts"
import { restoreSession } from "./session.ts"

/** The error shown above the sign-in form, such as an invalid link or a failed organisation sign-in. */
export const signInError = signal<string | null>(null)

/**
 * The token of a sign-in link that was opened while signed in. Following it needs confirmation, because its sender may
 * try to move the user to another merchant.
 */
export const pendingLinkToken = signal<string | null>(null)

/** Redeems a sign-in link, which works once. Sets `signInError` when that fails. */
export const redeemLink = async (token: string): Promise<void> => {
  const reply = await call("POST /v1/dashboard/sessions/redeem", { body: { token } })
  if (!reply.ok) signInError.value = reply.failure.status === 401 ? say.signIn.refused : reply.failure.message
}

/** Redeems a link: immediately when signed out, after confirmation when signed in. */
export const openSignInLink = async (token: string): Promise<void> => {
  if (await restoreSession()) pendingLinkToken.value = token
  else await redeemLink(token)
}
