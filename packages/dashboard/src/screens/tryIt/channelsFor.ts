/** Over which channels a code may go to what is typed; what is neither yet may be a number. */
export const channelsFor = (identity: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => identity.includes("@") === (name === "EMAIL"))
