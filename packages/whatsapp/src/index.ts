/** Codes over WhatsApp for Countersign, through Meta's Cloud API. */
export * as WhatsApp from "./WhatsApp.ts"
