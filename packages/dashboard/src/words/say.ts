import { en } from "./en.ts"
import { hi } from "./hi.ts"
import { choose } from "./language.ts"

/** Texts used by several screens. Each screen has its own in `words.ts`. */
export const say = choose({ en, hi })
