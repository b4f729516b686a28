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
  RoleMissing,
  SignInStale
} from "./Fault.ts"
import { leastPace } from "./BodyMemory.ts"
import { defineErrors, tryAgain } from "./ErrorTable.ts"

/** How what needs a sign-in of the last ten minutes is refused, whichever rule asks for it. */
const signInStale = {
  errorCode: "FORBIDDEN",
  message: "This needs a sign-in of the last ten minutes: sign in again",
  headers: { "x-sign-in": "fresh" }
} as const

/** How any request may fail: at the door, or in storage. */
export const errors = defineErrors({
  InvalidField: ({ field, problem }: InvalidField) => ({
    errorCode: "INVALID_REQUEST",
    message: `${field}: ${problem}`
  }),
  BodyUnreadable: ({ problem }: BodyUnreadable) => ({ errorCode: "INVALID_REQUEST", message: `body: ${problem}` }),
  InvalidCredentials: (_: InvalidCredentials) => ({
    errorCode: "INVALID_CLIENT_CREDENTIALS",
    message: "The credentials are missing or wrong"
  }),
  MerchantSuspended: (_: MerchantSuspended) => ({ errorCode: "CLIENT_INACTIVE", message: "This account is suspended" }),
  CallbackRefused: (_: CallbackRefused) => ({
    errorCode: "FORBIDDEN",
    message: "This request is not signed as the provider signs"
  }),
  AddressForbidden: ({ of }: AddressForbidden) => ({
    errorCode: "FORBIDDEN",
    message:
      of === "KEY"
        ? "Keys of this environment may not be used from this address: somebody who is signed in can add it to serverAddresses in the settings"
        : "The operator may not call from this address: the service's configuration says from where"
  }),
  ScopeMissing: ({ scope }: ScopeMissing) => ({
    errorCode: "FORBIDDEN",
    message: `This key may not call this: it needs the scope ${scope}. Make a key that has it`
  }),
  NotFromDashboard: ({ origin }: NotFromDashboard) => ({
    errorCode: "FORBIDDEN",
    message:
      origin === null
        ? "Nobody can be signed in here: open the dashboard over https, or at http://localhost on the machine that the service runs on"
        : `Only the dashboard's own pages may ask this: open it at ${origin}. Behind a proxy, tell the service its public URL`
  }),
  RoleMissing: ({ needsPasskey, role }: RoleMissing) => ({
    errorCode: "FORBIDDEN",
    message: needsPasskey
      ? `This needs the role ${role}, and this account asks for a passkey: until you sign in with one, you may only read`
      : `This needs the role ${role}. Ask an owner of this account for it`
  }),
  SignInStale: (_: SignInStale) => signInStale,
  FreshSignInNeeded: (_: FreshSignInNeeded) => signInStale,
  PersonMissing: (_: PersonMissing) => ({
    errorCode: "FORBIDDEN",
    message: "This belongs to somebody who is signed in to the dashboard: no key may call it"
  }),
  LiveKeyMissing: (_: LiveKeyMissing) => ({
    errorCode: "FORBIDDEN",
    message: "This changes the live environment, too: use a key of it, or sign in to the dashboard"
  }),
  UnknownCallback: (_: UnknownCallback) => ({
    errorCode: "NOT_FOUND",
    message: "No provider of this service reports here"
  }),
  NotLocal: (_: NotLocal) => ({
    errorCode: "FORBIDDEN",
    message:
      "This page answers only direct connections from this machine or a private network, without a proxy in between: /metrics to any name but the public one, or at MANAGEMENT_PORT; pages of development at http://localhost"
  }),
  PathUnknown: (_: PathUnknown) => ({ errorCode: "NOT_FOUND", message: "Nothing is served at this path; see /docs" }),
  MethodUnknown: ({ allow }: MethodUnknown) => ({
    errorCode: "METHOD_NOT_ALLOWED",
    message: `This path takes ${allow.join(", ")}`,
    headers: { allow: allow.join(", ") }
  }),
  BodyTooLarge: ({ limit }: BodyTooLarge) => ({
    errorCode: "PAYLOAD_TOO_LARGE",
    message: `The body may have at most ${limit} bytes`,
    headers: { connection: "close" }
  }),
  BodyTooSlow: (_: BodyTooSlow) => ({
    errorCode: "INVALID_REQUEST",
    message: `body: arrived too slowly; send at least ${leastPace.bytes / 1024} KB in every ${leastPace.millis / 1000} seconds`,
    headers: { connection: "close" }
  }),
  LargeBodiesBusy: (_: LargeBodiesBusy) => ({
    errorCode: "RATE_LIMIT_EXCEEDED",
    message: "Other large requests leave no room for this one; try again in 5 seconds",
    headers: { "retry-after": "5", connection: "close" }
  }),
  ListsBusy: (_: ListsBusy) => ({
    errorCode: "RATE_LIMIT_EXCEEDED",
    message: "Too many lists of this environment are being read at once; try again in 2 seconds",
    headers: { "retry-after": "2" }
  }),
  InstanceClosed: (_: InstanceClosed) => ({
    errorCode: "INTERNAL_ERROR",
    status: 503,
    message: "This instance of Countersign is closed: make another one, or close it after the last request"
  }),
  IdempotencyKeyReused: (_: IdempotencyKeyReused) => ({
    errorCode: "IDEMPOTENCY_KEY_REUSED",
    message: "This Idempotency-Key was used with another body; take a new key for a new request"
  }),
  StillRunning: (_: StillRunning) => tryAgain("A request with this Idempotency-Key is still running; try again"),
  Contended: (_: Contended) => tryAgain("Too many requests for this identity at once; try again"),
  Conflict: (_: Conflict) => tryAgain("Somebody else changed this at the same moment; try again"),
  StoreError: (_: StoreError) => tryAgain("The service cannot reach its storage; try again")
})
