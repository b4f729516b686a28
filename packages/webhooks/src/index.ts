/** Delivers the webhooks of Countersign over HTTPS, and only to the public internet. */
export * as HttpWebhookSender from "./HttpWebhookSender.ts"
export { type Resolve, Unresolved } from "./Resolver.ts"
