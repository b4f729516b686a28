import { oneOf } from "../../address/filtersIn.ts"
import { ranges } from "./span.ts"

export const bys = ["channel", "country", "path", "carrier"] as const
export type By = (typeof bys)[number]

export const filters = { range: oneOf(ranges), by: oneOf(bys) }
