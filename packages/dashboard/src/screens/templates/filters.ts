import { oneOf, text } from "../../address/filtersIn.ts"
import { channels, purposes } from "./template.ts"

export const filters = { from: text, channel: oneOf(channels), purpose: oneOf(purposes) }
