import { text } from "../../address/filtersIn.ts"

export const filters = { find: text }
