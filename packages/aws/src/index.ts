/** The SMS and e-mail channels of Countersign through Amazon SNS and SES. */
export * as Aws from "./Aws.ts"
