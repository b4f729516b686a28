/** Countersign's address, and the server key. */
export interface Service {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The page's information about codes, from the merchant's settings. */
export interface Rules {
  readonly codeLength: number
  readonly codeExpirySeconds: number
  readonly maxAttempts: number
  readonly resendCooldownSeconds: number
  /** Whether a device is trusted after its first code. */
  readonly oneTap: boolean
}

type Settings = ReadonlyMap<string, unknown>

const numberIn = (settings: Settings, name: keyof Rules, otherwise: number): number => {
  const value = settings.get(name)
  return typeof value === "number" ? value : otherwise
}

/** Reads the settings from Countersign, so that the page needs no copy. */
export const readRules = async ({ clientId, clientSecret, url }: Service): Promise<Rules> => {
  const headers = { "x-client-id": clientId, "x-client-secret": clientSecret }
  const answer = await fetch(`${url}/v1/dashboard/settings`, { headers, signal: AbortSignal.timeout(5000) })
  if (!answer.ok) throw new Error(`Countersign answered ${answer.status} to its settings; check the server key`)
  const body: unknown = await answer.json()
  const settings: Settings = new Map(Object.entries(body ?? {}))
  return {
    codeLength: numberIn(settings, "codeLength", 6),
    codeExpirySeconds: numberIn(settings, "codeExpirySeconds", 300),
    maxAttempts: numberIn(settings, "maxAttempts", 3),
    // The page waits before a resend, even if the service would send immediately.
    resendCooldownSeconds: Math.max(15, numberIn(settings, "resendCooldownSeconds", 0)),
    oneTap: settings.get("oneTap") === true
  }
}
