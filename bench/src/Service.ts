import { Child } from "./Child.ts"

export interface ServiceOptions {
  /** The database; without one everything is kept in memory. */
  readonly url?: string | undefined
  readonly observability?: "shipped" | "off"
  readonly allowDataLoss?: boolean
  /** Settings of the merchant that differ from the defaults. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** What is paid in, where sends are paid. */
  readonly balance?: number
  /** Endpoints that are told of every event. */
  readonly webhooks?: ReadonlyArray<string>
  /** `off`: verifications leave no facts. */
  readonly statistics?: "off"
  /** `off`: the guard notes nothing. It judges nothing either if the numbers are on the merchant's safe list. */
  readonly guard?: "off"
  /** Its provider takes 20 ms for a message, carries campaigns, and allows so many a second, if anything is said. */
  readonly provider?: { readonly perSecond?: number }
  /** Whether customers write to its first merchant on WhatsApp. */
  readonly inbox?: boolean
}

export interface ServiceStarted {
  readonly port: number
  readonly clientId: string
  readonly clientSecret: string
}

/** Where a sign-in system sends its requests, and what it signs them with. */
export interface HookStarted {
  readonly path: string
  readonly secret: string
}

/** The master secret of every service here; the codes are derived from it. */
export const secret = "00".repeat(32)

/** The number that customers write to, and what the provider signs with. */
export const receiver = "106540352242922"
export const appSecret = "app secret of the benchmark"

export interface Service extends ServiceStarted {
  readonly child: Child
}

/** The service in a process of its own. */
export const startService = async (options: ServiceOptions): Promise<Service> => {
  const child = new Child("./serviceProcess.ts")
  return { ...(await child.ask<ServiceStarted>("start", options)), child }
}
