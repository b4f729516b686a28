import {
  AttemptsExhausted,
  CampaignOver,
  ChannelRequired,
  CsvTooLarge,
  IncompleteTemplate,
  InvalidChannel,
  InvalidCsv,
  InvalidField,
  invalidField,
  InvalidMode,
  InvalidTemplate,
  Problem,
  NetworkNotSupported,
  RedirectUriRequired,
  TemplateUnusable,
  UnknownAuthorisationCode,
  UnknownVerification,
  VerificationExpired
} from "@countersign/core"
import { BodyTooLarge, BodyTooSlow, BodyUnreadable, MethodUnknown } from "../Fault.ts"
import type { CausesByCode } from "./Cause.ts"

const requestId = "ver_01kgbq1vr0c4m8x2t6w0z5n9ek"

/** Invalid requests, and verifications in the wrong state. */
export const requests = {
  INVALID_REQUEST: [
    {
      when: "a field of the body, a parameter or the `Idempotency-Key` is missing or malformed; `message` starts with its name",
      advice: "correct the value",
      failure: invalidField("identity", Problem.of("PHONE"))
    },
    {
      when: "the body is not a JSON object in UTF-8, is nested deeper than 32 levels, or was cut off before the end",
      advice: "send a JSON object, with `Content-Type: application/json` and without `Content-Encoding`",
      failure: new BodyUnreadable({ problem: "must be JSON" })
    },
    {
      when: "a body over 8 KB arrives more slowly than 8 KB in 4 seconds",
      advice: "send it again over a faster connection",
      failure: new BodyTooSlow()
    },
    {
      when: "signed in: the request does not name an environment",
      advice: "send `X-Environment: live` or `X-Environment: test`",
      failure: new InvalidField({ field: "X-Environment", problem: "must be live or test" })
    },
    {
      when: "signed in: `X-Merchant` names another merchant than the session's, because another tab switched merchants",
      advice: "switch merchants, or omit the header",
      failure: new InvalidField({
        field: "X-Merchant",
        problem: "names another merchant than your session's: switch merchants, or omit the header"
      })
    },
    {
      when: "a [campaign](campaigns.md) that is `DONE` or `CANCELLED` cannot be paused, resumed or cancelled",
      advice: "create a new campaign",
      failure: new CampaignOver({ status: "DONE", wish: "resumed" })
    }
  ],
  INVALID_MODE: [
    {
      when: "`mode` is not `OTP`, `OAUTH` or `MAGIC_LINK` in upper case",
      advice: "correct the value",
      failure: new InvalidMode({ problem: "mode must be OTP, OAUTH or MAGIC_LINK, in upper case" })
    },
    {
      when: "`mode` sends links, but the service has no public URL",
      advice: "set `PUBLIC_URL`, or use `OTP`",
      failure: new InvalidMode({
        problem: "MAGIC_LINK needs a public URL for its links: set baseUrl (PUBLIC_URL)"
      })
    }
  ],
  INVALID_CHANNEL: [
    {
      when: "`channel` cannot be used for this identity with this `mode`, or is not in upper case",
      advice: "use another channel",
      failure: new InvalidChannel({ problem: "SMS cannot be used for EMAIL with mode OTP" })
    },
    {
      when: "no provider for the channel is configured on this server",
      advice: "use another channel, or [configure](configuration.md) a provider",
      failure: new InvalidChannel({ problem: "RCS is not enabled on this server" })
    },
    {
      when: "`channel` of a [campaign](campaigns.md) is neither `WHATSAPP` nor `SMS`, or cannot send campaigns on this server",
      advice: "use the other channel, or [configure](configuration.md) a provider",
      failure: new InvalidChannel({ problem: "a campaign's channel must be WHATSAPP or SMS" })
    }
  ],
  CHANNEL_REQUIRED: [{ when: "`OAUTH` without `channel`", advice: "send a channel", failure: new ChannelRequired() }],
  REDIRECT_URI_REQUIRED: [
    { when: "`OAUTH` without `redirectUri`", advice: "send a redirect URI", failure: new RedirectUriRequired() }
  ],
  OTP_EXPIRED: [
    {
      when: "the code has expired",
      advice: "initiate again",
      failure: new VerificationExpired({ requestId, undeliverable: false })
    },
    {
      when: "no message could be delivered, so the user has no code",
      advice: "initiate again, if possible on another channel, and see [why](#a-message-that-does-not-arrive)",
      failure: new VerificationExpired({ requestId, undeliverable: true })
    }
  ],
  NETWORK_NOT_SUPPORTED: [
    {
      when: "a number verifier cannot verify over the phone's network: it is on Wi-Fi or a VPN, or its carrier does not take part; the login stays open",
      advice: "verify with a code",
      failure: new NetworkNotSupported({ provider: "Silent network authentication" })
    }
  ],
  MAX_ATTEMPTS_EXCEEDED: [
    {
      when: "more attempts than `maxAttempts`; even the right code no longer works",
      advice: "initiate again",
      failure: new AttemptsExhausted({ requestId })
    }
  ],
  TRANSACTION_NOT_FOUND: [
    {
      when: "no verification has that `requestId`, `orderId` or `sessionId` in this environment, or it does not belong to the app",
      advice: "check the id, and whether your keys are live or test",
      failure: new UnknownVerification()
    },
    {
      when: "an authorisation `code` is unknown in this environment, older than 60 seconds, or already exchanged",
      advice: "let the user sign in again",
      failure: new UnknownAuthorisationCode()
    }
  ],
  INVALID_TEMPLATE_CONFIG: [
    {
      when: "a [template](templates.md) breaks the rule that `message` names",
      advice: "correct the template",
      failure: new InvalidTemplate({ rules: [{ field: "body", problem: "must contain {{code}}" }] })
    },
    {
      when: "the template of a message or a [campaign](campaigns.md) cannot be sent: it is not approved, paused or disabled at the provider, or has another format or purpose",
      advice: "fix it at the provider, or use another channel",
      failure: new TemplateUnusable({ channel: "WHATSAPP", fault: "INVALID" })
    }
  ],
  INCOMPLETE_TEMPLATE_CONFIG: [
    {
      when: "a [template](templates.md) lacks a field that its channel requires",
      advice: "add the field",
      failure: new IncompleteTemplate({ field: "subject", problem: "is required for channel EMAIL" })
    },
    {
      when: "the template of a message uses a setting that is empty, or lacks a field that the provider requires",
      advice: "fill in the setting, or change the template",
      failure: new TemplateUnusable({ channel: "SMS", fault: "INCOMPLETE" })
    }
  ],
  CSV_VALIDATION_FAILED: [
    {
      when: "the list of a [campaign](campaigns.md#the-list) has errors; `message` names the line and column of the first, and how many more there are",
      advice: "fix the list; `?dryRun=true` lists the first 100 problems",
      failure: new InvalidCsv({ problem: "line 3, column phone: is empty", more: 4 })
    }
  ],
  METHOD_NOT_ALLOWED: [
    {
      when: "the path supports other methods; `Allow` lists them",
      advice: "use one of them",
      failure: new MethodUnknown({ allow: ["GET", "PATCH"] })
    }
  ],
  PAYLOAD_TOO_LARGE: [
    {
      when: "the body is over 64 KB, or over the limit that `message` names",
      advice: "send less",
      failure: new BodyTooLarge({ limit: 64 * 1024 })
    },
    {
      when: "the list of a [campaign](campaigns.md) is over 5 MB",
      advice: "split it into several campaigns",
      failure: new CsvTooLarge({ limit: 5 * 1024 * 1024 })
    }
  ]
} as const satisfies CausesByCode
