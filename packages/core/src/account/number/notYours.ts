/** Explains to a user why a template may not be used: see `Numbers.maySendTemplates`. */
export const notYours =
  "the server's own WhatsApp account is not yours: connect a number of your own, and make the template in its account"

/** The same explanation for a message that was already queued. */
export const notYoursCode = "template_not_yours"
