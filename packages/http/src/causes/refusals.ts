import {
  AboveOwnRole,
  BilledByOperator,
  FreshSignInNeeded,
  SettingOfOwner,
  DestinationForbidden,
  GuardRefused,
  ExampleDayRuns,
  HookUnsigned,
  IdempotencyKeyReused,
  InvalidCredentials,
  LastDashboardKey,
  MerchantSuspended,
  OnlyInTest,
  PasskeyNeeded,
  Problem,
  RateLimited,
  ScopeMissing,
  SenderIdTaken,
  TemplateTaken,
  TooManyListeners,
  ReplayRuns,
  WebhookUrlTaken
} from "@countersign/core"
import { CallbackRefused } from "@countersign/core/channel"
import {
  LargeBodiesBusy,
  ListsBusy,
  LiveKeyMissing,
  NotFromDashboard,
  NotLocal,
  AddressForbidden,
  OriginForbidden,
  PersonMissing,
  RoleMissing
} from "../Fault.ts"
import type { CausesByCode } from "./Cause.ts"

/** Refusals because of the caller, of limits, or of existing objects. */
export const refusals = {
  INVALID_CLIENT_CREDENTIALS: [
    {
      when: "the credentials are missing, wrong or revoked, or the session or token has ended",
      advice: "correct the headers, or sign in again",
      failure: new InvalidCredentials()
    },
    {
      when: "on `/v1/hooks/*`: no secret of the hook signed the request, or its signature is more than five minutes old",
      advice: "enter the secret of the hook in the sign-in system; the hook's requests say what was wrong",
      failure: new HookUnsigned()
    }
  ],
  CLIENT_INACTIVE: [
    { when: "the operator suspended the account", advice: "contact the operator", failure: new MerchantSuspended() }
  ],
  FORBIDDEN: [
    {
      when: "with a server key: the key lacks the scope that `message` names",
      advice: "use a key with that scope",
      failure: new ScopeMissing({ scope: "dashboard" })
    },
    {
      when: "with a server key: only a signed-in agent may call this endpoint",
      advice: "use the dashboard",
      failure: new PersonMissing()
    },
    {
      when: "with a server key of the test environment: the call would also change the live environment, as for agents, teams and `requirePasskey`",
      advice: "use a `live` key, or sign in",
      failure: new LiveKeyMissing()
    },
    {
      when: "on `/v1/dashboard/keys`: this is the last key with the scope `dashboard`",
      advice: "create another key first",
      failure: new LastDashboardKey({ id: "none" })
    },
    {
      when: "on `/v1/dashboard/balance/top-ups`, or a change of `billing` or `prices`: the operator [bills](billing.md#who-decides-about-money)",
      advice: "ask the operator",
      failure: new BilledByOperator({ what: "TOP_UP" })
    },
    {
      when: "signed in: the agent lacks the role that `message` names",
      advice: "ask an owner",
      failure: new RoleMissing({ role: "ADMIN", needsPasskey: false })
    },
    {
      when: "signed in: the account requires passkeys, and this sign-in was without one",
      advice: "sign in with a passkey",
      failure: new RoleMissing({ role: "ADMIN", needsPasskey: true })
    },
    {
      when: "signed in, on `/v1/dashboard/passkeys`: the account requires a sign-in with a passkey to change passkeys",
      advice: "sign in with a passkey",
      failure: new PasskeyNeeded()
    },
    {
      when: "signed in, with the header `X-Sign-In: fresh`: the sign-in is more than ten minutes old",
      advice: "[sign in again](access.md#a-fresh-sign-in), and repeat the request",
      failure: new FreshSignInNeeded()
    },
    {
      when: "on `/v1/dashboard/agents`: only a signed-in `OWNER` may create, change or remove an `OWNER`, or create a link for an ACTIVE agent; only an `OWNER` or the agent may change the address of an agent who is not INVITED",
      advice: "ask one of them, or the operator",
      failure: new AboveOwnRole()
    },
    {
      when: "signed in, or signing in: the request does not come from the dashboard's [own pages](access.md#requests-of-other-sites)",
      advice: "open the dashboard at the origin that `message` names; behind a proxy, set `PUBLIC_URL`",
      failure: new NotFromDashboard({ origin: "https://verify.example.com" })
    },
    {
      when: "on `/metrics`, `/dev/outbox` and `/demo`: the connection does not come from this machine or a private network, came through a proxy, or uses the public name as `Host`; `/dev/outbox` and `/demo` need a loopback `Host`",
      advice:
        "call it directly at `http://localhost` or a private address, or set `MANAGEMENT_PORT` for a separate operator port",
      failure: new NotLocal()
    },
    {
      when: "with a server key: the caller's address is not in the environment's `serverAddresses`",
      advice:
        "sign in to the dashboard and [add it](configuration.md#who-may-call-from-where); behind a proxy, check `TRUSTED_PROXIES`",
      failure: new AddressForbidden({ of: "KEY" })
    },
    {
      when: "on `PATCH /v1/dashboard/settings`, with a server key: only an `OWNER` may change this setting",
      advice: "sign in to the dashboard as an `OWNER`, or ask the operator: [which settings](access.md#settings)",
      failure: new SettingOfOwner({ setting: "serverAddresses", by: "KEY" })
    },
    {
      when: "signed in, on `PATCH /v1/dashboard/settings`: only an `OWNER` may change this setting",
      advice: "ask an owner: [which settings](access.md#settings)",
      failure: new SettingOfOwner({ setting: "prices", by: "PERSON" })
    },
    {
      when: "signed in, with the header `X-Sign-In: fresh`: the request changes a security setting or the URL of a webhook endpoint",
      advice: "[sign in again](access.md#a-fresh-sign-in), and repeat the request",
      failure: new FreshSignInNeeded()
    },
    {
      when: "on `/v1/admin/*`: the caller's address is not in `COUNTERSIGN_ADMIN_ADDRESSES`",
      advice: "[add it](configuration.md#who-may-call-from-where), or call from an allowed address",
      failure: new AddressForbidden({ of: "OPERATOR" })
    },
    {
      when: "on `/v1/sdk/*`: this origin may not use the public key",
      advice: "add the origin to `allowedOrigins`",
      failure: new OriginForbidden()
    },
    {
      when: "an initiate: the number's country, prefix or type is not allowed; `message` says which",
      advice: "to allow it, change `allowedCountries`, `blockedPrefixes` or `blockedNumberTypes`",
      failure: new DestinationForbidden(Problem.of("DESTINATION_COUNTRY"))
    },
    {
      when: "an initiate: the guard refuses the number, for a reason in the setting `guardEnforces`",
      advice: "[see what it saw](protection.md); to trust a number, add it to `safeList`",
      failure: new GuardRefused({ reason: "PREFIX_UNVERIFIED", waitSeconds: null })
    },
    {
      when: "on `/v1/dashboard/example-day`: the request was for `live`",
      advice: "repeat the request for `test`",
      failure: new OnlyInTest()
    },
    {
      when: "on `/v1/callbacks/*`: the signature of a provider's callback is missing or wrong",
      advice: "check the provider's secret and `PUBLIC_URL`",
      failure: new CallbackRefused({ provider: "twilio" })
    }
  ],
  IDEMPOTENCY_KEY_REUSED: [
    {
      when: "the `Idempotency-Key` was used with another body",
      advice: "use a new key for a new request",
      failure: new IdempotencyKeyReused()
    }
  ],
  DUPLICATE_TEMPLATE: [
    {
      when: "another [template](templates.md) has this name, channel, purpose and locale",
      advice: "change that template, or use another name",
      failure: new TemplateTaken()
    }
  ],
  DUPLICATE_SENDER_ID: [
    {
      when: "this sender id is already registered",
      advice: "nothing to do: you can use it",
      failure: new SenderIdTaken()
    }
  ],
  WEBHOOK_URL_DUPLICATE: [
    {
      when: "another webhook endpoint of this environment has this URL",
      advice: "change or remove that endpoint",
      failure: new WebhookUrlTaken()
    }
  ],
  WEBHOOK_REPLAY_RUNS: [
    {
      when: "a [replay](webhooks.md#send-it-again) to this endpoint is still running",
      advice: "wait until it has finished",
      failure: new ReplayRuns()
    }
  ],
  EXAMPLE_DAY_RUNS: [
    {
      when: "an [example day](example-day.md) is already running in this environment",
      advice: "wait until it has finished",
      failure: new ExampleDayRuns()
    }
  ],
  RATE_LIMIT_EXCEEDED: [
    {
      when: "one of the [limits](#the-limits-behind-429) is reached; `message` says which",
      advice: "wait `Retry-After` seconds",
      failure: new RateLimited({ limit: "spelling", retryAfterSeconds: 1800, requestId: null })
    },
    {
      when: "too many clients of one environment already read `/v1/dashboard/live`",
      advice: "close one of the streams, or wait `Retry-After` seconds",
      failure: new TooManyListeners({ most: 20 })
    },
    {
      when: "bodies over 8 KB take 16 MB for one merchant, 32 MB for all apps and callers without a key, or 64 MB in one process",
      advice: "wait `Retry-After` seconds",
      failure: new LargeBodiesBusy()
    },
    {
      when: "four reads (`GET`) of one environment run in one process, and 32 more wait",
      advice: "wait `Retry-After` seconds, and request one page after another",
      failure: new ListsBusy()
    }
  ]
} as const satisfies CausesByCode
