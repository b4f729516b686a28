import type { Answer } from "../api/Api.ts"

type Role = Answer<"GET /v1/dashboard/me">["agent"]["role"]

/** Who was signed in at the last check. It lets the page ask for data before it knows more. No name or address. */
export interface LastUser {
  readonly merchant: string
  readonly role: Role
}

const key = "countersign.somebody"

export const lastUser = (): LastUser | null => {
  const [merchant, role] = localStorage.getItem(key)?.split(" ") ?? []
  return merchant === undefined ? null : { merchant, role: role as Role }
}

export const keepLastUser = ({ merchant, role }: LastUser): void => localStorage.setItem(key, `${merchant} ${role}`)

export const forgetLastUser = (): void => localStorage.removeItem(key)
