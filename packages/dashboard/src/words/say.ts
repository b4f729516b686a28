import { en } from "./en.ts"
import { hi } from "./hi.ts"
import { choose } from "./language.ts"

/** What more than one screen says. A screen's own words are in its `words.ts`. */
export const say = choose({ en, hi })
