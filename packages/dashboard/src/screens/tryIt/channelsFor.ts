/** Channels for the typed identity. Incomplete input may still become a number. */
export const channelsFor = (identity: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => identity.includes("@") === (name === "EMAIL"))
