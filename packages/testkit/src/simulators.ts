export type { Behaviour, ProviderDouble, Seen } from "./channel/ProviderDouble.ts"
