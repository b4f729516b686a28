import type { Aws } from "@countersign/aws"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

/** The AWS account and senders. */
export interface AwsConfiguration {
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  readonly sessionToken: Redacted.Redacted | undefined
  readonly region: string
  readonly smsFrom: string | undefined
  readonly entityId: string | undefined
  readonly emailFrom: string | undefined
  readonly configurationSet: string | undefined
  readonly topicArn: string | undefined
  readonly snsUrl: string | undefined
  readonly sesUrl: string | undefined
}

const account = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"] as const

/** Other programs use `AWS_` variables too, so these alone neither require other variables nor enable a channel. */
const group: VariableGroup = {
  id: "aws",
  title: "SMS and e-mail through AWS",
  prefixes: ["SNS_", "SES_"],
  together: true,
  variables: [
    {
      name: "SNS_FROM",
      about: "the SMS sender in SNS: a sender id of up to 11 letters and digits, or a phone number with `+`",
      example: "ACMEIN",
      needs: account,
      more: "See [SMS and e-mail through AWS](channels/aws.md)"
    },
    { name: "SNS_ENTITY_ID", about: "in India: your DLT entity id", example: "1201161234567890123" },
    {
      name: "SES_FROM",
      about: "the e-mail sender in SES: a verified address, with or without a name",
      example: "Acme <codes@acme.example>",
      needs: account
    },
    {
      name: "SES_CONFIGURATION_SET",
      about: "the SES configuration set to send e-mail with",
      example: "mails"
    },
    {
      name: "SES_TOPIC_ARN",
      about: "the SNS topic that receives the configuration set's events",
      default: "none: no receipts",
      example: "arn:aws:sns:ap-south-1:123456789012:mails",
      needs: ["SES_FROM", "SES_CONFIGURATION_SET"]
    },
    { name: account[0], about: "the access key that signs requests", example: "AKIAIOSFODNN7EXAMPLE" },
    { name: account[1], about: "the secret access key", example: "from the AWS console", secret: true },
    {
      name: "AWS_SESSION_TOKEN",
      about: "the session token of temporary credentials. The server does not renew them",
      example: "from the AWS console",
      secret: true
    },
    { name: account[2], about: "the region of SNS and SES", example: "ap-south-1" },
    {
      name: "SNS_API_URL",
      about: "the API's URL, for proxies and tests; must be https, except on this machine",
      default: "`https://sns.{AWS_REGION}.amazonaws.com`",
      example: "http://127.0.0.1:9008"
    },
    {
      name: "SES_API_URL",
      about: "the API's URL, for proxies and tests; must be https, except on this machine",
      default: "`https://email.{AWS_REGION}.amazonaws.com`",
      example: "http://127.0.0.1:9008"
    }
  ]
}

const read = (reader: VariableReader): AwsConfiguration | undefined => {
  if (!reader.wants(group.variables)) return undefined
  const session = reader.text("AWS_SESSION_TOKEN")
  return {
    accessKeyId: reader.text("AWS_ACCESS_KEY_ID") ?? "",
    secretAccessKey: Redacted.make(reader.text("AWS_SECRET_ACCESS_KEY") ?? ""),
    sessionToken: session === undefined ? undefined : Redacted.make(session),
    region: reader.text("AWS_REGION") ?? "",
    smsFrom: reader.text("SNS_FROM"),
    entityId: reader.text("SNS_ENTITY_ID"),
    emailFrom: reader.text("SES_FROM"),
    configurationSet: reader.text("SES_CONFIGURATION_SET"),
    topicArn: reader.text("SES_TOPIC_ARN"),
    snsUrl: reader.text("SNS_API_URL"),
    sesUrl: reader.text("SES_API_URL")
  }
}

/** The options that the environment sets. */
type Set = Pick<Aws.Options, keyof AwsConfiguration>

const variables: { readonly [option in keyof Set]-?: string } = {
  accessKeyId: "AWS_ACCESS_KEY_ID",
  secretAccessKey: "AWS_SECRET_ACCESS_KEY",
  sessionToken: "AWS_SESSION_TOKEN",
  region: "AWS_REGION",
  smsFrom: "SNS_FROM",
  entityId: "SNS_ENTITY_ID",
  emailFrom: "SES_FROM",
  configurationSet: "SES_CONFIGURATION_SET",
  topicArn: "SES_TOPIC_ARN",
  snsUrl: "SNS_API_URL",
  sesUrl: "SES_API_URL"
}

const channels = Effect.fnUntraced(function* (options: AwsConfiguration) {
  const { Aws } = yield* Effect.promise(() => import("@countersign/aws"))
  return yield* Effect.mapError(Aws.make(options), inVariables(variables))
})

/** SMS through SNS, e-mail through SES, or both. */
export const provider: Provider<AwsConfiguration> = {
  group,
  read,
  channels,
  switch: (channel) => (channel === "EMAIL" ? "SES_FROM" : "SNS_FROM")
}
