import { Aws } from "@countersign/aws"
import type { ChannelSource } from "@countersign/http"
import { type Plain, plainSource } from "./plainSource.ts"

/** The AWS account and senders. */
export interface AwsOptions extends Plain<Aws.Options> {}

/**
 * SMS through Amazon SNS with `smsFrom`, e-mail through Amazon SES with `emailFrom`.
 *
 * @example
 * ```ts
 * import { aws } from "countersign/aws"
 *
 * const channels = aws({
 *   accessKeyId: process.env.AWS_ACCESS_KEY_ID,
 *   secretAccessKey: process.env.AWS_SECRET_ACCESS_KEY,
 *   region: "ap-south-1",
 *   smsFrom: "ACMEIN"
 * })
 * ```
 */
export const aws: (options: AwsOptions) => ChannelSource = plainSource(
  "aws",
  {
    accessKeyId: "text",
    secretAccessKey: "secret",
    sessionToken: "secret?",
    region: "text",
    smsFrom: "text?",
    entityId: "text?",
    emailFrom: "text?",
    configurationSet: "text?",
    topicArn: "text?",
    snsUrl: "text?",
    sesUrl: "text?",
    perSecond: "number?"
  },
  (options) => Aws.make(options)
)
