/** Delivers the webhooks and push messages of Countersign over HTTPS, and only to the public internet. */
export * as HttpPushSender from "./HttpPushSender.ts"
export * as HttpWebhookSender from "./HttpWebhookSender.ts"
export { type Resolve, Unresolved } from "./Resolver.ts"
