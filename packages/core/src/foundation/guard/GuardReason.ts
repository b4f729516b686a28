/** Why the guard thinks that a code will not be typed. */
export const guardReasons = [
  /** Codes to numbers that share all but their last four digits are not typed. */
  "PREFIX_UNVERIFIED",
  /** Codes to numbers that share all but their last six digits are not typed. */
  "RANGE_UNVERIFIED",
  /** Codes to a country are not typed. */
  "COUNTRY_UNVERIFIED",
  /** Codes that were requested from an address are not typed. */
  "ADDRESS_UNVERIFIED",
  /** Codes that were requested from a device are not typed. */
  "DEVICE_UNVERIFIED",
  /** More codes than people can have typed yet are under way to a country that has verified few. */
  "COUNTRY_TOO_FAST",
  /** Neighbouring numbers ask for codes one after the other. */
  "ADJACENT_NUMBERS",
  /** The line is of a type that the merchant does not accept, such as VoIP. */
  "LINE_TYPE",
  /** The number moved to another SIM a short time ago. */
  "SIM_SWAPPED",
  /** The number got another owner a short time ago. */
  "NUMBER_RECYCLED"
] as const
export type GuardReason = (typeof guardReasons)[number]

/** `challenge` asks for a proof of work where the caller can give one, and is a delay elsewhere. */
export const guardVerdicts = ["allow", "delay", "challenge", "block"] as const
export type GuardVerdict = (typeof guardVerdicts)[number]

/** The least score of a reason: an attack is a thousand times likelier than chance. */
export const leastScore = Math.log(1_000)
const certainty = { delay: leastScore, challenge: Math.log(3_000), block: Math.log(10_000) } as const

/** The least score of a `block` verdict. */
export const blockScore = certainty.block

/** What a score leads to. */
export const verdictOf = (score: number): GuardVerdict =>
  score >= certainty.block
    ? "block"
    : score >= certainty.challenge
      ? "challenge"
      : score >= certainty.delay
        ? "delay"
        : "allow"

export interface ScoredReason {
  readonly reason: GuardReason
  /** How many times likelier an attack explains what was seen than chance does, as a natural logarithm. */
  readonly score: number
}

/** The judgement of one request. Most have no reasons. */
export interface Judgement {
  readonly verdict: GuardVerdict
  /** Highest score first. */
  readonly reasons: ReadonlyArray<ScoredReason>
}

export const allowed: Judgement = { verdict: "allow", reasons: [] }
