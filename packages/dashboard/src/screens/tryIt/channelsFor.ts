/** Over which channels a code may go to what is typed; what is neither yet may be a number. */
export const channelsFor = (identity: string): ReadonlyArray<"SMS" | "WHATSAPP" | "EMAIL" | "RCS"> =>
  identity.includes("@") ? ["EMAIL"] : ["SMS", "WHATSAPP", "RCS"]
