import { oneOf } from "../../address/filtersIn.ts"

export const filters = { view: oneOf(["new", "optOuts"]) }
