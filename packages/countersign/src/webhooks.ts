/** Sends webhooks, only to the public internet. */
export { HttpWebhookSender } from "@countersign/webhooks"
