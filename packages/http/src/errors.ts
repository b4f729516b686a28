import type {
  FreshSignInNeeded,
  IdempotencyKeyReused,
  InvalidCredentials,
  InvalidField,
  MerchantSuspended,
  ScopeMissing,
  StillRunning,
  UnknownCallback
} from "@countersign/core"
import type { CallbackRefused } from "@countersign/core/channel"
import type { Conflict, Contended, StoreError } from "@countersign/core/storage"
import type {
  AddressForbidden,
  BodyTooLarge,
  BodyTooSlow,
  BodyUnreadable,
  InstanceClosed,
  LargeBodiesBusy,
  ListsBusy,
  MethodUnknown,
  LiveKeyMissing,
  NotFromDashboard,
  NotLocal,
  PathUnknown,
  PersonMissing,
  RoleMissing
} from "./Fault.ts"
import { leastPace } from "./BodyMemory.ts"
import { defineErrors, tryAgain } from "./ErrorTable.ts"

/** The response of an endpoint that needs a recent sign-in, when the session has none. */
const signInAgain = {
  errorCode: "FORBIDDEN",
  message: "This needs a sign-in within the last ten minutes: sign in again",
  headers: { "x-sign-in": "fresh" }
} as const

/** The error responses that endpoints share. An endpoint's own errors are in the `errors.ts` of its folder. */
export const errors = defineErrors({
  InvalidField: ({ code, field, params = {}, problem }: InvalidField) => ({
    errorCode: "INVALID_REQUEST",
    message: `${field}: ${problem}`,
    ...(code === undefined ? {} : { problem: { field, code, params } })
  }),
  BodyUnreadable: ({ problem }: BodyUnreadable) => ({ errorCode: "INVALID_REQUEST", message: `body: ${problem}` }),
  InvalidCredentials: (_: InvalidCredentials) => ({
    errorCode: "INVALID_CLIENT_CREDENTIALS",
    message: "The credentials are missing or wrong"
  }),
  MerchantSuspended: (_: MerchantSuspended) => ({ errorCode: "CLIENT_INACTIVE", message: "This account is suspended" }),
  CallbackRefused: (_: CallbackRefused) => ({
    errorCode: "FORBIDDEN",
    message: "The provider's signature is missing or wrong"
  }),
  AddressForbidden: ({ of }: AddressForbidden) => ({
    errorCode: "FORBIDDEN",
    message:
      of === "KEY"
        ? "Keys of this environment may not be used from this address: sign in to the dashboard and add it to serverAddresses in the settings"
        : "The admin API may not be called from this address: add it to COUNTERSIGN_ADMIN_ADDRESSES"
  }),
  ScopeMissing: ({ scope }: ScopeMissing) => ({
    errorCode: "FORBIDDEN",
    message: `This key lacks the scope ${scope}. Create a key that has it`
  }),
  NotFromDashboard: ({ origin }: NotFromDashboard) => ({
    errorCode: "FORBIDDEN",
    message:
      origin === null
        ? "Sign-in does not work at this address: open the dashboard over https, or at http://localhost on the service's own machine"
        : `Only the dashboard's own pages may send this request: open the dashboard at ${origin}. Behind a proxy, set the public URL (PUBLIC_URL)`
  }),
  RoleMissing: ({ needsPasskey, role }: RoleMissing) => ({
    errorCode: "FORBIDDEN",
    message: needsPasskey
      ? `This needs the role ${role}, and this account requires passkeys: sign in with a passkey. Until then you may only read`
      : `This needs the role ${role}. Ask an owner of this account`
  }),
  FreshSignInNeeded: (_: FreshSignInNeeded) => signInAgain,
  PersonMissing: (_: PersonMissing) => ({
    errorCode: "FORBIDDEN",
    message: "Keys may not call this: sign in to the dashboard"
  }),
  LiveKeyMissing: (_: LiveKeyMissing) => ({
    errorCode: "FORBIDDEN",
    message: "This also changes the live environment: use a live key, or sign in to the dashboard"
  }),
  UnknownCallback: (_: UnknownCallback) => ({
    errorCode: "NOT_FOUND",
    message: "No provider of this service sends callbacks to this path"
  }),
  NotLocal: (_: NotLocal) => ({
    errorCode: "FORBIDDEN",
    message:
      "This page answers only direct connections from this machine or a private network, without a proxy. Call /metrics by a name other than the public one, or at MANAGEMENT_PORT; open development pages at http://localhost"
  }),
  PathUnknown: (_: PathUnknown) => ({ errorCode: "NOT_FOUND", message: "Nothing is served at this path; see /docs" }),
  MethodUnknown: ({ allow }: MethodUnknown) => ({
    errorCode: "METHOD_NOT_ALLOWED",
    message: `This path supports ${allow.join(", ")}`,
    headers: { allow: allow.join(", ") }
  }),
  BodyTooLarge: ({ limit }: BodyTooLarge) => ({
    errorCode: "PAYLOAD_TOO_LARGE",
    message: `The body must be at most ${limit} bytes`,
    headers: { connection: "close" }
  }),
  BodyTooSlow: (_: BodyTooSlow) => ({
    errorCode: "INVALID_REQUEST",
    message: `body: arrived too slowly; send at least ${leastPace.bytes / 1024} KB in every ${leastPace.millis / 1000} seconds`,
    headers: { connection: "close" }
  }),
  LargeBodiesBusy: (_: LargeBodiesBusy) => ({
    errorCode: "RATE_LIMIT_EXCEEDED",
    message: "Too many large requests at the same time; try again in 5 seconds",
    headers: { "retry-after": "5", connection: "close" }
  }),
  ListsBusy: (_: ListsBusy) => ({
    errorCode: "RATE_LIMIT_EXCEEDED",
    message: "Too many concurrent reads in this environment; try again in 2 seconds",
    headers: { "retry-after": "2" }
  }),
  InstanceClosed: (_: InstanceClosed) => ({
    errorCode: "INTERNAL_ERROR",
    status: 503,
    message: "This instance of Countersign is closed: create another one, or close it only after the last request"
  }),
  IdempotencyKeyReused: (_: IdempotencyKeyReused) => ({
    errorCode: "IDEMPOTENCY_KEY_REUSED",
    message: "This Idempotency-Key was used with another body; use a new key for a new request"
  }),
  StillRunning: (_: StillRunning) => tryAgain("A request with this Idempotency-Key is still running; try again"),
  Contended: (_: Contended) => tryAgain("Too many concurrent requests for this identity; try again"),
  Conflict: (_: Conflict) => tryAgain("Another request changed this at the same time; try again"),
  StoreError: (_: StoreError) => tryAgain("The service cannot reach its storage; try again")
})
