import type { Aws } from "@countersign/aws"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

/** How to reach AWS, and what to send through. */
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

/** `AWS_` variables are set for other programs too: they need nothing, and switch nothing on. */
const group: VariableGroup = {
  id: "aws",
  title: "SMS and e-mail through AWS",
  prefixes: ["SNS_", "SES_"],
  together: true,
  variables: [
    {
      name: "SNS_FROM",
      about: "the sender of SMS through SNS: a sender id of up to 11 letters and digits, or a number with `+`",
      example: "ACMEIN",
      needs: account,
      more: "See [SMS and e-mail through AWS](channels/aws.md)"
    },
    { name: "SNS_ENTITY_ID", about: "in India: your entity's id of DLT", example: "1201161234567890123" },
    {
      name: "SES_FROM",
      about: "the sender of mails through SES: a verified address, with a name or alone",
      example: "Acme <codes@acme.example>",
      needs: account
    },
    {
      name: "SES_CONFIGURATION_SET",
      about: "the configuration set that mails are sent with",
      example: "mails"
    },
    {
      name: "SES_TOPIC_ARN",
      about: "the topic that the configuration set's events go to",
      default: "none: no receipts",
      example: "arn:aws:sns:ap-south-1:123456789012:mails",
      needs: ["SES_FROM", "SES_CONFIGURATION_SET"]
    },
    { name: account[0], about: "the key that requests are signed with", example: "AKIAIOSFODNN7EXAMPLE" },
    { name: account[1], about: "the secret of that key", example: "as AWS shows it", secret: true },
    {
      name: "AWS_SESSION_TOKEN",
      about: "with temporary credentials, which end and are not renewed",
      example: "as AWS shows it",
      secret: true
    },
    { name: account[2], about: "the region of both services", example: "ap-south-1" },
    {
      name: "SNS_API_URL",
      about: "for proxies and tests; https, except on this machine",
      default: "`https://sns.{AWS_REGION}.amazonaws.com`",
      example: "http://127.0.0.1:9008"
    },
    {
      name: "SES_API_URL",
      about: "for proxies and tests; https, except on this machine",
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
