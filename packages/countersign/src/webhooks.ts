/** What carries webhooks, to the public internet only. */
export { HttpWebhookSender } from "@countersign/webhooks"
