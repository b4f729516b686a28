import {
  AttemptsExhausted,
  CampaignOver,
  ChannelRequired,
  CsvTooLarge,
  IncompleteTemplate,
  InvalidChannel,
  InvalidCsv,
  InvalidField,
  InvalidMode,
  InvalidTemplate,
  RedirectUriRequired,
  TemplateUnusable,
  UnknownAuthorisationCode,
  UnknownVerification,
  VerificationExpired
} from "@countersign/core"
import { BodyTooLarge, BodyTooSlow, BodyUnreadable, MethodUnknown } from "../Fault.ts"
import type { CausesByCode } from "./Cause.ts"

const requestId = "ver_01kgbq1vr0c4m8x2t6w0z5n9ek"

/** The request as it came, and the state of the verification that it names. */
export const requests = {
  INVALID_REQUEST: [
    {
      when: "a field of the body, a parameter or the `Idempotency-Key` is missing or malformed; `message` begins with its name",
      advice: "correct it",
      failure: new InvalidField({
        field: "identity",
        problem: "must be a possible phone number with its country code"
      })
    },
    {
      when: "the body is no JSON object in UTF-8, nests deeper than 32 levels, or did not arrive whole",
      advice: "send a JSON object, with `Content-Type: application/json` and without `Content-Encoding`",
      failure: new BodyUnreadable({ problem: "must be JSON" })
    },
    {
      when: "a body over 8 KB arrives more slowly than 8 KB in 4 seconds",
      advice: "send it again over a faster connection",
      failure: new BodyTooSlow()
    },
    {
      when: "signed in, and the request does not say which environment it means",
      advice: "send `X-Environment: live` or `X-Environment: test`",
      failure: new InvalidField({ field: "X-Environment", problem: "must be live or test" })
    },
    {
      when: "signed in, and the session is at another merchant than `X-Merchant` names: another tab changed over",
      advice: "change over, or leave it out",
      failure: new InvalidField({
        field: "X-Merchant",
        problem: "your session is at another merchant now: change over, or leave it out"
      })
    },
    {
      when: "a [campaign](campaigns.md) that is `DONE` or `CANCELLED` is to be paused, resumed or cancelled",
      advice: "make a new one",
      failure: new CampaignOver({ status: "DONE", wish: "resumed" })
    }
  ],
  INVALID_MODE: [
    {
      when: "`mode` is none of `OTP`, `OAUTH`, `MAGIC_LINK`, in upper case",
      advice: "correct it",
      failure: new InvalidMode({ problem: "mode must be OTP, OAUTH or MAGIC_LINK, in upper case" })
    },
    {
      when: "`mode` sends links, and the service does not know where they lead",
      advice: "set `PUBLIC_URL`, or use `OTP`",
      failure: new InvalidMode({
        problem: "MAGIC_LINK needs a public URL for its links: set baseUrl (PUBLIC_URL)"
      })
    }
  ],
  INVALID_CHANNEL: [
    {
      when: "`channel` is none that this kind of identity can be reached on with this `mode`, or not in upper case",
      advice: "name another",
      failure: new InvalidChannel({ problem: "SMS cannot be used for EMAIL with mode OTP" })
    },
    {
      when: "the channel has no provider on this server",
      advice: "name another, or [configure](configuration.md) its provider",
      failure: new InvalidChannel({ problem: "RCS is not enabled on this server" })
    },
    {
      when: "`channel` of a [campaign](campaigns.md) is neither `WHATSAPP` nor `SMS`, or carries no campaigns on this server",
      advice: "name the other, or [configure](configuration.md) its provider",
      failure: new InvalidChannel({ problem: "a campaign's channel must be WHATSAPP or SMS" })
    }
  ],
  CHANNEL_REQUIRED: [{ when: "`OAUTH` without `channel`", advice: "name one", failure: new ChannelRequired() }],
  REDIRECT_URI_REQUIRED: [
    { when: "`OAUTH` without `redirectUri`", advice: "send one", failure: new RedirectUriRequired() }
  ],
  OTP_EXPIRED: [
    {
      when: "the code's time is over",
      advice: "initiate again",
      failure: new VerificationExpired({ requestId, undeliverable: false })
    },
    {
      when: "no message could be delivered, so that there is no code to enter",
      advice: "initiate again, on another channel if there is one, and see [why](#a-message-that-does-not-arrive)",
      failure: new VerificationExpired({ requestId, undeliverable: true })
    }
  ],
  MAX_ATTEMPTS_EXCEEDED: [
    {
      when: "more tries than `maxAttempts`; the right code does not help any more",
      advice: "initiate again",
      failure: new AttemptsExhausted({ requestId })
    }
  ],
  TRANSACTION_NOT_FOUND: [
    {
      when: "no verification has that `requestId`, `orderId` or `sessionId` in this environment, or it is not the app's",
      advice: "check the id, and whether the keys are live or test",
      failure: new UnknownVerification()
    },
    {
      when: "an authorisation `code` is none of this environment, is older than 60 seconds, or was exchanged before",
      advice: "let the person sign in again",
      failure: new UnknownAuthorisationCode()
    }
  ],
  INVALID_TEMPLATE_CONFIG: [
    {
      when: "a [template](templates.md) breaks a rule, which `message` names",
      advice: "correct it",
      failure: new InvalidTemplate({ rules: [{ field: "body", problem: "has no place for {{code}}" }] })
    },
    {
      when: "the template of a send or a [campaign](campaigns.md) cannot be sent as it is: the provider has not approved it, has paused or disabled it, it has another form, or another purpose",
      advice: "set it right with the provider, or use another channel",
      failure: new TemplateUnusable({ channel: "WHATSAPP", fault: "INVALID" })
    }
  ],
  INCOMPLETE_TEMPLATE_CONFIG: [
    {
      when: "a [template](templates.md) lacks what its channel needs",
      advice: "add it",
      failure: new IncompleteTemplate({ field: "subject", problem: "is needed for channel EMAIL" })
    },
    {
      when: "the template of a send has a place for a setting that is empty, or lacks something the provider needs",
      advice: "set it, or change the template",
      failure: new TemplateUnusable({ channel: "SMS", fault: "INCOMPLETE" })
    }
  ],
  CSV_VALIDATION_FAILED: [
    {
      when: "the list of a [campaign](campaigns.md#the-list) has mistakes; `message` names line and column of the first, and says how many more there are",
      advice: "mend them; `?dryRun=true` names a hundred",
      failure: new InvalidCsv({ problem: "line 3, column phone: is empty", more: 4 })
    }
  ],
  METHOD_NOT_ALLOWED: [
    {
      when: "the path takes other methods; `Allow` lists them",
      advice: "use one of them",
      failure: new MethodUnknown({ allow: ["GET", "PATCH"] })
    }
  ],
  PAYLOAD_TOO_LARGE: [
    {
      when: "the body is over 64 KB, or over what `message` says where another bound holds",
      advice: "send less",
      failure: new BodyTooLarge({ limit: 64 * 1024 })
    },
    {
      when: "the list of a [campaign](campaigns.md) is over 5 MB",
      advice: "make several campaigns of it",
      failure: new CsvTooLarge({ limit: 5 * 1024 * 1024 })
    }
  ]
} as const satisfies CausesByCode
