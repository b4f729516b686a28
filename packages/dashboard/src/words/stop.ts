import { language } from "./language.ts"

/** The full stop of the page's language, between two texts that are also used without it. */
export const stop = language === "hi" ? "।" : "."
