/** The guard's reasons, as the contract names them. Apart from their words, because every link to a list reads them. */
export const guardReasons = [
  "PREFIX_UNVERIFIED",
  "RANGE_UNVERIFIED",
  "COUNTRY_UNVERIFIED",
  "ADDRESS_UNVERIFIED",
  "DEVICE_UNVERIFIED",
  "COUNTRY_TOO_FAST",
  "ADJACENT_NUMBERS",
  "LINE_TYPE",
  "SIM_SWAPPED",
  "NUMBER_RECYCLED"
] as const

export type GuardReason = (typeof guardReasons)[number]
