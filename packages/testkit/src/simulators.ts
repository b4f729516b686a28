export type { Behaviour, ProviderDouble, Seen } from "./channel/ProviderDouble.ts"
export * as SmtpSimulator from "./simulator/SmtpSimulator.ts"
export * as TwilioSimulator from "./simulator/TwilioSimulator.ts"
export * as WhatsAppSimulator from "./simulator/WhatsAppSimulator.ts"
