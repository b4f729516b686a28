/** The steps of the first hour, in order. */
export const firstSteps = ["tryIt", "call", "webhook", "invite"] as const
export type FirstStep = (typeof firstSteps)[number]

interface Facts {
  /** At least the latest verification, if there is any. */
  readonly verifications: ReadonlyArray<unknown>
  readonly keys: ReadonlyArray<{ readonly type: string; readonly lastUsedAt: string | null }>
  readonly endpoints: ReadonlyArray<unknown>
  readonly agents: ReadonlyArray<unknown>
}

/** Which steps are done. A used server key stands for a request from the merchant's backend. */
export const doneOf = ({ agents, endpoints, keys, verifications }: Facts): Readonly<Record<FirstStep, boolean>> => ({
  tryIt: verifications.length > 0,
  call: keys.some(({ lastUsedAt, type }) => type === "SERVER" && lastUsedAt !== null),
  webhook: endpoints.length > 0,
  invite: agents.length > 1
})
