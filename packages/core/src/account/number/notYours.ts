import * as Problem from "../../foundation/identity/Problem.ts"

/** Explains to a user why a template may not be used: see `Numbers.maySendTemplates`. */
export const notYours = Problem.of("TEMPLATE_NOT_YOURS").problem

/** The same explanation for a message that was already queued. */
export const notYoursCode = "template_not_yours"
