/** The roles of people who work for a merchant. Each role includes the rights of the roles after it. */
export const Role = ["OWNER", "ADMIN", "AGENT", "VIEWER"] as const
export type Role = (typeof Role)[number]

/** Whether a role includes the rights of `least`. */
export const atLeast = (role: Role, least: Role): boolean => Role.indexOf(role) <= Role.indexOf(least)
