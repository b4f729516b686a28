import {
  PasskeysAbsent,
  ProviderAbsent,
  TemplateUnusable,
  UnknownAgent,
  UnknownBinding,
  UnknownCampaign,
  UnknownCallback,
  UnknownDevice,
  UnknownErasure,
  UnknownKey,
  UnknownLead,
  UnknownMerchant,
  UnknownMessage,
  UnknownNumber,
  UnknownOptOut,
  UnknownPasskey,
  UnknownSavedReply,
  UnknownSenderId,
  UnknownSession,
  UnknownTeam,
  UnknownTemplate,
  UnknownWebhook,
  UnknownWebhookDelivery
} from "@countersign/core"
import { PathUnknown } from "../Fault.ts"
import type { CausesByCode } from "./Cause.ts"

/** What is not there, or not in this environment. */
export const missing = {
  NOT_FOUND: [
    {
      when: "nothing is served at this path",
      advice: "correct it; `/docs` lists them all",
      failure: new PathUnknown()
    },
    { when: "no provider reports at this path", advice: "correct it", failure: new UnknownCallback() },
    {
      when: "no session of yours has this id, or it has ended",
      advice: "list your sessions",
      failure: new UnknownSession()
    },
    {
      when: "no passkey with this id signs you in, or the agent that the path names",
      advice: "list the passkeys",
      failure: new UnknownPasskey()
    },
    {
      when: "no OpenID Connect provider signs the agent in",
      advice: "list what signs them in",
      failure: new UnknownBinding()
    },
    {
      when: "the service takes no passkeys",
      advice: "set `PUBLIC_URL`, or sign in by e-mail",
      failure: new PasskeysAbsent()
    },
    {
      when: "the service knows no provider to sign in with",
      advice: "set `OIDC_ISSUER`, `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`, or sign in by e-mail",
      failure: new ProviderAbsent()
    }
  ],
  TEMPLATE_NOT_FOUND: [
    {
      when: "you have no [template](templates.md) of that id, DLT id or name for this channel",
      advice: "list your templates, and check whether the keys are live or test",
      failure: new UnknownTemplate()
    },
    {
      when: "the provider does not know the channel's template in this language, or has not approved it",
      advice: "correct its name, or wait for approval",
      failure: new TemplateUnusable({ channel: "WHATSAPP", fault: "NOT_FOUND" })
    }
  ],
  SENDER_ID_NOT_FOUND: [
    {
      when: "no such [sender id](templates.md) is registered in this environment",
      advice: "list them; upper and lower case count",
      failure: new UnknownSenderId()
    }
  ],
  DEVICE_NOT_FOUND: [
    {
      when: "no device of that id is trusted in this environment, or not any more",
      advice: "list the devices again",
      failure: new UnknownDevice()
    }
  ],
  KEY_NOT_FOUND: [
    {
      when: "no key has that id in this environment, or it was revoked",
      advice: "list the keys, and check whether yours is live or test",
      failure: new UnknownKey({ id: "none" })
    }
  ],
  WEBHOOK_NOT_FOUND: [
    {
      when: "no webhook endpoint has that id in this environment",
      advice: "list them, and check whether the keys are live or test",
      failure: new UnknownWebhook()
    }
  ],
  WEBHOOK_DELIVERY_NOT_FOUND: [
    {
      when: "no try of that id to deliver to this endpoint, or too old to be sent again",
      advice: "list the deliveries of the endpoint",
      failure: new UnknownWebhookDelivery()
    }
  ],
  LEAD_NOT_FOUND: [
    {
      when: "no lead has that id or number in this environment",
      advice: "list the leads, and check whether the keys are live or test",
      failure: new UnknownLead()
    }
  ],
  AGENT_NOT_FOUND: [
    {
      when: "nobody with that id or address works for the merchant, or they are not `ACTIVE` and get no leads",
      advice: "list the agents",
      failure: new UnknownAgent()
    }
  ],
  TEAM_NOT_FOUND: [
    { when: "the merchant has no team of that id or name", advice: "list the teams", failure: new UnknownTeam() }
  ],
  MESSAGE_NOT_FOUND: [
    {
      when: "no message of that id in this conversation, or it has no file, or WhatsApp has the file no more",
      advice: "list the messages",
      failure: new UnknownMessage()
    }
  ],
  SAVED_REPLY_NOT_FOUND: [
    { when: "no saved reply has that id in this environment", advice: "list them", failure: new UnknownSavedReply() }
  ],
  NUMBER_NOT_FOUND: [
    {
      when: "this environment has connected no number of that id",
      advice: "list the numbers",
      failure: new UnknownNumber()
    }
  ],
  CAMPAIGN_NOT_FOUND: [
    {
      when: "no [campaign](campaigns.md) has that id in this environment",
      advice: "list the campaigns, and check whether the keys are live or test",
      failure: new UnknownCampaign()
    }
  ],
  ERASURE_NOT_FOUND: [
    {
      when: "no erasure of this environment has this id",
      advice: "take the `erasureId` that the request was answered with",
      failure: new UnknownErasure()
    }
  ],
  OPT_OUT_NOT_FOUND: [
    {
      when: "nobody with this number asked for no campaigns in this environment, or they took it back",
      advice: "list the opt-outs",
      failure: new UnknownOptOut()
    }
  ],
  MERCHANT_NOT_FOUND: [
    {
      when: "with the operator's token: no such merchant",
      advice: "check the id",
      failure: new UnknownMerchant({ id: "none" })
    }
  ]
} as const satisfies CausesByCode
