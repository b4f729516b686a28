import {
  AboveOwnRole,
  BilledByOperator,
  FreshSignInNeeded,
  SettingOfOwner,
  DestinationForbidden,
  ExampleDayRuns,
  IdempotencyKeyReused,
  InvalidCredentials,
  LastDashboardKey,
  MerchantSuspended,
  OnlyInTest,
  PasskeyNeeded,
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
  RoleMissing,
  SignInStale
} from "../Fault.ts"
import type { CausesByCode } from "./Cause.ts"

/** Who asks, how often, and what is there already. */
export const refusals = {
  INVALID_CLIENT_CREDENTIALS: [
    {
      when: "credentials are missing or wrong, were revoked, or their session or token has ended",
      advice: "correct the headers, or sign in again",
      failure: new InvalidCredentials()
    }
  ],
  CLIENT_INACTIVE: [
    { when: "the operator has suspended the account", advice: "talk to the operator", failure: new MerchantSuspended() }
  ],
  FORBIDDEN: [
    {
      when: "with a server key: it lacks the scope that `message` names",
      advice: "use a key with that scope",
      failure: new ScopeMissing({ scope: "dashboard" })
    },
    {
      when: "with a server key: what was called belongs to somebody who is signed in",
      advice: "use the dashboard",
      failure: new PersonMissing()
    },
    {
      when: "with a server key of the test environment: what was called changes the live one as well, as people, teams and `requirePasskey` do",
      advice: "use a `live` key, or sign in",
      failure: new LiveKeyMissing()
    },
    {
      when: "on `/v1/dashboard/keys`: it is the last key that opens the dashboard",
      advice: "make another key first",
      failure: new LastDashboardKey({ id: "none" })
    },
    {
      when: "on `/v1/dashboard/balance/top-ups`, or a change of `billing` or `prices`: the operator [bills](billing.md#who-decides-about-money)",
      advice: "ask who runs the service",
      failure: new BilledByOperator({ what: "TOP_UP" })
    },
    {
      when: "signed in: the role does not reach; `message` names the one that does",
      advice: "ask an owner",
      failure: new RoleMissing({ role: "ADMIN", needsPasskey: false })
    },
    {
      when: "signed in: the role reaches, but not before signing in with a passkey, which is the rule of this account",
      advice: "sign in with a passkey",
      failure: new RoleMissing({ role: "ADMIN", needsPasskey: true })
    },
    {
      when: "signed in, and on `/v1/dashboard/passkeys`: only a sign-in with one of them may change them",
      advice: "sign in with a passkey",
      failure: new PasskeyNeeded()
    },
    {
      when: "signed in, with the header `X-Sign-In: fresh`: the sign-in is more than ten minutes old",
      advice: "[sign in again](access.md#a-fresh-sign-in), and repeat",
      failure: new SignInStale()
    },
    {
      when: "on `/v1/dashboard/agents`: only an `OWNER` makes, changes or removes an `OWNER`, or makes a link for an agent who is ACTIVE, which no key does either; and only an `OWNER` or the agent changes the address of one who is not INVITED",
      advice: "ask one of them, or the operator",
      failure: new AboveOwnRole()
    },
    {
      when: "signed in, or signing in: the request is not one of the dashboard's [own pages](access.md#requests-of-other-sites)",
      advice: "open it at the origin that `message` names; behind a proxy set `PUBLIC_URL`",
      failure: new NotFromDashboard({ origin: "https://verify.example.com" })
    },
    {
      when: "on `/metrics`, `/dev/outbox` and `/demo`: the connection is not from this machine or a private network, a proxy passed it on, or `Host` is the public name; `/dev/outbox` and `/demo` answer only to a loopback `Host`",
      advice:
        "call it directly, at `http://localhost` or a private address, or give the operator a port apart with `MANAGEMENT_PORT`",
      failure: new NotLocal()
    },
    {
      when: "with a server key: the environment's `serverAddresses` do not have the caller's address",
      advice:
        "[add it](configuration.md#who-may-call-from-where), signed in to the dashboard; behind a proxy look at `TRUSTED_PROXIES`",
      failure: new AddressForbidden({ of: "KEY" })
    },
    {
      when: "on `PATCH /v1/dashboard/settings`, with a server key: it changes a setting that only an `OWNER` changes",
      advice: "sign in to the dashboard as an `OWNER`, or ask the operator: [which settings](access.md#settings)",
      failure: new SettingOfOwner({ setting: "serverAddresses", by: "KEY" })
    },
    {
      when: "signed in, and on `PATCH /v1/dashboard/settings`: only an `OWNER` changes this setting",
      advice: "ask one of them: [which settings](access.md#settings)",
      failure: new SettingOfOwner({ setting: "prices", by: "PERSON" })
    },
    {
      when: "signed in, with the header `X-Sign-In: fresh`: it changes a setting that guards, or the URL of a webhook endpoint",
      advice: "[sign in again](access.md#a-fresh-sign-in), and repeat",
      failure: new FreshSignInNeeded()
    },
    {
      when: "on `/v1/admin/*`: `COUNTERSIGN_ADMIN_ADDRESSES` do not have the caller's address",
      advice: "[add it](configuration.md#who-may-call-from-where), or call from another",
      failure: new AddressForbidden({ of: "OPERATOR" })
    },
    {
      when: "on `/v1/sdk/*`: pages of this origin may not use the public key",
      advice: "add it to `allowedOrigins`, if it should be",
      failure: new OriginForbidden()
    },
    {
      when: "on `/v1/sdk/*`: the number's country or prefix is not allowed; `message` says which",
      advice: "change `allowedCountries` or `blockedPrefixes`, if it should be",
      failure: new DestinationForbidden({ problem: "numbers of this country are not allowed" })
    },
    {
      when: "on `/v1/dashboard/example-day`: it was asked for in `live`",
      advice: "change to `test`, and ask there",
      failure: new OnlyInTest()
    },
    {
      when: "on `/v1/callbacks/*`: a provider's receipt is not signed as that provider signs",
      advice: "check the provider's secret and `PUBLIC_URL`",
      failure: new CallbackRefused({ provider: "twilio" })
    }
  ],
  IDEMPOTENCY_KEY_REUSED: [
    {
      when: "the same `Idempotency-Key` came with another body",
      advice: "take a new key for a new request",
      failure: new IdempotencyKeyReused()
    }
  ],
  DUPLICATE_TEMPLATE: [
    {
      when: "another [template](templates.md) has this name, channel, purpose and locale",
      advice: "change that one, or take another name",
      failure: new TemplateTaken()
    }
  ],
  DUPLICATE_SENDER_ID: [
    { when: "this sender id is registered already", advice: "nothing: it is there", failure: new SenderIdTaken() }
  ],
  WEBHOOK_URL_DUPLICATE: [
    {
      when: "another webhook endpoint of this environment has this URL",
      advice: "change or remove that one",
      failure: new WebhookUrlTaken()
    }
  ],
  WEBHOOK_REPLAY_RUNS: [
    {
      when: "a [replay](webhooks.md#send-it-again) to this endpoint is still under way",
      advice: "wait until it is over",
      failure: new ReplayRuns()
    }
  ],
  EXAMPLE_DAY_RUNS: [
    {
      when: "an [example day](example-day.md) is being played in this environment",
      advice: "wait until it is over",
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
      when: "too many look on at `/v1/dashboard/live` of one environment already",
      advice: "close one of them, or wait `Retry-After` seconds",
      failure: new TooManyListeners({ most: 20 })
    },
    {
      when: "bodies over 8 KB hold 16 MB for one merchant, 32 MB for all apps and strangers, or 64 MB in one process",
      advice: "wait `Retry-After` seconds",
      failure: new LargeBodiesBusy()
    },
    {
      when: "four reads (`GET`) of one environment run in one process, and 32 more wait for their turn",
      advice: "wait `Retry-After` seconds, and ask for one page after another",
      failure: new ListsBusy()
    }
  ]
} as const satisfies CausesByCode
