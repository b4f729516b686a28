/** Why a message did not arrive. */
export const failureReasons = [
  "RECIPIENT",
  "OPTED_OUT",
  "CHANNEL",
  "CONTENT",
  "TEMPLATE",
  "SENDER",
  "ACCOUNT",
  "LIMIT",
  "SETTINGS",
  "OPERATOR",
  "PROVIDER",
  "TIME",
  "UNKNOWN"
] as const
