import { oneOf } from "../../address/filtersIn.ts"
import { abouts } from "../../life/stepsOf.ts"
import { filters as list } from "../verifications/filters.ts"

const { view: _view, ...asked } = list

/** What is looked at of its life, and what the list was asked for that leads back to it. */
export const filters = { about: oneOf(abouts), ...asked }
