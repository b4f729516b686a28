import { oneOf, text } from "../../address/filtersIn.ts"

export const statuses = ["DELIVERED", "FAILED", "DEAD"] as const

export const filters = { status: oneOf(statuses), try: text }
