import { oneOf } from "../../address/filtersIn.ts"
import { bys, sorts } from "./sums.ts"

export const ranges = ["7d", "30d", "90d", "365d"] as const
export const models = ["last", "first"] as const

export const filters = {
  range: oneOf(ranges),
  model: oneOf(models),
  by: oneOf(bys),
  sort: oneOf(sorts),
  order: oneOf(["reversed"])
}
