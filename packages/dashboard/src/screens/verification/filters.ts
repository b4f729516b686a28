import { oneOf, text } from "../../address/filtersIn.ts"
import { abouts } from "../../life/stepsOf.ts"

/** What is looked at of its life, and what the list was asked for that leads back to it. */
export const filters = {
  about: oneOf(abouts),
  find: text,
  as: text,
  status: text,
  channel: text,
  country: text,
  from: text,
  to: text
}
