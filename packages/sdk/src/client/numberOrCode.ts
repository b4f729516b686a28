import { abortable, checkAborted } from "../request/abortable.ts"
import { after } from "../request/after.ts"
import type { CallOptions, Session, VerifyResult } from "./Session.ts"

/** A login by number verification, with a code as its fallback. */
export interface NumberOrCodeInput {
  /** The `requestId` of the login that your backend started with this verifier. */
  readonly sessionId: string
  /** The verifier that your backend named as `channel`: `FIREBASE`, `TRUECALLER`, `TWILIO_SNA`, `CAMARA`. */
  readonly verifier: string
  /** The number that the user entered, which your backend requested. A code goes to it. */
  readonly phone: string
  /**
   * Gets the proof from the verifier's library on the phone, such as `{ token }` of Firebase. Without it, the service
   * starts the verification, and the app opens an address over mobile data.
   */
  readonly prove?: ((signal: AbortSignal) => Promise<{ readonly [field: string]: unknown }>) | undefined
  /**
   * Opens an address over mobile data, and returns the body of the answer, or the address of the last redirect. Pass a
   * native module that uses the mobile network even if the phone is on Wi-Fi. Default: `fetch`.
   */
  readonly open?: ((url: string, signal: AbortSignal) => Promise<string>) | undefined
  /** The most time for the verifier, before a code is sent. Default: 8 seconds. */
  readonly timeoutMs?: number | undefined
  /** The channel of the code. Default: `auto`. */
  readonly channel?: string | undefined
  /** The template of the code. Default: the account's default template. */
  readonly template?: string | undefined
}

/** How the number is verified. */
export type NumberOrCode =
  /** The verifier verified it. Pass `requestId` to your backend, which must confirm it. */
  | { readonly via: "number"; readonly requestId: string }
  /**
   * A code was sent. Ask the user for it, and call `verify` with `session.sessionId`. `cause` is the reason: an error, or
   * undefined if the phone has another number.
   */
  | { readonly via: "code"; readonly session: Session; readonly cause: unknown }

interface Calls {
  readonly start: (signal: AbortSignal) => Promise<{ readonly url: string | null; readonly start: string }>
  readonly verify: (input: object, signal: AbortSignal) => Promise<VerifyResult>
  readonly sendCode: () => Promise<Session>
}

const opened = async (url: string, signal: AbortSignal): Promise<string> => {
  const response = await fetch(url, { signal })
  // A verifier that redirects puts its answer into the address.
  return response.redirected ? response.url : response.text()
}

const proved = async (
  { open = opened, phone, prove, sessionId }: NumberOrCodeInput,
  { start, verify }: Calls,
  signal: AbortSignal
) => {
  if (prove !== undefined) {
    const proof = await prove(signal)
    checkAborted(signal)
    return verify({ sessionId, proof }, signal)
  }
  const started = await start(signal)
  checkAborted(signal)
  // In a test environment nothing is opened, and the number is the proof.
  const answer = started.url === null ? phone.replace(/\D/g, "") : await open(started.url, signal)
  checkAborted(signal)
  return verify({ sessionId, proof: { answer }, start: started.start }, signal)
}

/** Tries the verifier once, within its time. If it does not verify the number, sends a code at once. */
export const numberOrCode = async (
  input: NumberOrCodeInput,
  calls: Calls,
  { signal }: CallOptions
): Promise<NumberOrCode> => {
  checkAborted(signal)
  const trial = new AbortController()
  const stop = () => trial.abort()
  const cancel = after(input.timeoutMs ?? 8_000, stop)
  signal?.addEventListener("abort", stop)
  let cause: unknown
  try {
    const { requestId, verified } = await abortable(trial.signal, () => proved(input, calls, trial.signal))
    if (verified) return { via: "number", requestId }
  } catch (error) {
    cause = error
  } finally {
    cancel()
    signal?.removeEventListener("abort", stop)
  }
  checkAborted(signal)
  return { via: "code", session: await calls.sendCode(), cause }
}
