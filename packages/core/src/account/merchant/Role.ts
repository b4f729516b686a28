/** What people who work for a merchant may do: each of these besides what the ones after it may. */
export const Role = ["OWNER", "ADMIN", "AGENT", "VIEWER"] as const
export type Role = (typeof Role)[number]

/** Whether somebody with this role may do what `least` may. */
export const atLeast = (role: Role, least: Role): boolean => Role.indexOf(role) <= Role.indexOf(least)
