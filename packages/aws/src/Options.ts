import { checkOptions, type InvalidOptions, type OptionRules } from "@countersign/core/channel"
import { apiUrlProblem, isVisible, trimmed } from "@countersign/provider-http"
import { type Redacted, Result } from "effect"

/** The AWS account and the senders for SMS, e-mail or both. */
export interface Options {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  /** The session token of temporary credentials. They expire and are not renewed. */
  readonly sessionToken?: Redacted.Redacted | undefined
  readonly region: string
  /** The SMS sender in SNS: a sender id of up to 11 letters and digits, or your phone number with `+`. */
  readonly smsFrom?: string | undefined
  /** In India: your DLT entity id. */
  readonly entityId?: string | undefined
  /** The e-mail sender in SES: a verified address, with a name (`Acme <codes@acme.example>`) or without. */
  readonly emailFrom?: string | undefined
  /** The SES configuration set. With `topicArn`, its events become receipts. */
  readonly configurationSet?: string | undefined
  /** The SNS topic that receives the configuration set's events. Reports of other topics are refused. */
  readonly topicArn?: string | undefined
  readonly snsUrl?: string | undefined
  readonly sesUrl?: string | undefined
  /** The most messages per second of each channel, in each process. */
  readonly perSecond?: number | undefined
}

/** The credentials that sign requests. */
export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken: Redacted.Redacted | null
  readonly region: string
}

/** Validated options with all defaults. */
export interface Account {
  readonly credentials: Credentials
  readonly sms: { readonly from: string; readonly entityId: string | null } | null
  readonly email: { readonly from: string; readonly configurationSet: string | null } | null
  readonly topicArn: string | null
  /** Both URLs are without a trailing slash. */
  readonly snsUrl: string
  readonly sesUrl: string
  readonly perSecond: number | null
}

/** The adapter's name in errors and callbacks. */
export const provider = "aws"

const arn = /^arn:aws[a-z-]*:sns:([a-z0-9-]+):\d{12}:[\w-]{1,256}$/

const isMailbox = (text: string) => /^([^<>@,;:"\\\r\n]{1,100} )?<[^\s<>@,;:"\\]+@[^\s<>@,;:"\\]+>$/.test(text)

/** Whether the text is a single plain address, because SES reads a comma as a list. */
export const isAddress = (text: string): boolean => /^[^\s<>@,;:"\\]+@[^\s<>@,;:"\\]+$/.test(text)

const rules: OptionRules<Options> = {
  accessKeyId: ({ accessKeyId }) =>
    /^[A-Z0-9]{16,128}$/.test(accessKeyId) ? null : "must be an access key id, such as AKIA and 16 letters and digits",
  secretAccessKey: ({ secretAccessKey }) =>
    isVisible(secretAccessKey) ? null : "must be visible ASCII without spaces",
  sessionToken: ({ sessionToken }) =>
    sessionToken === undefined || isVisible(sessionToken) ? null : "must be visible ASCII without spaces",
  region: ({ region }) => (/^[a-z]{2}(-[a-z]+)+-\d$/.test(region) ? null : "must be a region, such as ap-south-1"),
  smsFrom: ({ emailFrom, smsFrom }) => {
    if (smsFrom === undefined) return emailFrom === undefined ? "is missing: set a sender for SMS or for e-mail" : null
    return /^(\+\d{5,15}|(?=.*[A-Za-z])[A-Za-z0-9]{1,11})$/.test(smsFrom)
      ? null
      : "must be a number with + or up to 11 letters and digits with a letter among them"
  },
  entityId: ({ entityId }) =>
    entityId === undefined || /^\d{15,20}$/.test(entityId) ? null : "must be your DLT entity id, 15 to 20 digits",
  emailFrom: ({ emailFrom }) =>
    emailFrom === undefined || isAddress(emailFrom) || isMailbox(emailFrom)
      ? null
      : "must be an address, or a name and an address such as Acme <codes@acme.example>",
  configurationSet: ({ configurationSet, topicArn }) => {
    if (configurationSet === undefined)
      return topicArn === undefined ? null : "is missing: SES sends events to the topic through a configuration set"
    return /^[\w-]{1,64}$/.test(configurationSet) ? null : "must consist of letters, digits, _ and -"
  },
  topicArn: ({ emailFrom, region, topicArn }) => {
    if (topicArn === undefined) return null
    if (emailFrom === undefined) return "is only for e-mail: SNS sends no SMS reports to a topic"
    return arn.exec(topicArn)?.[1] === region ? null : "must be the ARN of an SNS topic in the same region"
  },
  snsUrl: ({ snsUrl }) => apiUrlProblem(snsUrl),
  sesUrl: ({ sesUrl }) => apiUrlProblem(sesUrl),
  perSecond: ({ perSecond }) =>
    perSecond === undefined || (perSecond > 0 && Number.isFinite(perSecond)) ? null : "must be greater than 0"
}

const domainOf = (region: string) => (region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com")

const accountOf = (options: Options): Account => {
  const { accessKeyId, configurationSet, emailFrom, entityId, perSecond, region, secretAccessKey, sessionToken } =
    options
  const { sesUrl, smsFrom, snsUrl, topicArn } = options
  return {
    credentials: { accessKeyId, secretAccessKey, sessionToken: sessionToken ?? null, region },
    sms: smsFrom === undefined ? null : { from: smsFrom, entityId: entityId ?? null },
    email: emailFrom === undefined ? null : { from: emailFrom, configurationSet: configurationSet ?? null },
    topicArn: topicArn ?? null,
    snsUrl: trimmed(snsUrl ?? `https://sns.${region}.${domainOf(region)}`),
    sesUrl: trimmed(sesUrl ?? `https://email.${region}.${domainOf(region)}`),
    perSecond: perSecond ?? null
  }
}

/** Validates all options, so that a mistake fails the start and never a request. */
export const check = (options: Options): Result.Result<Account, InvalidOptions> =>
  Result.map(checkOptions(provider, options, rules), accountOf)
