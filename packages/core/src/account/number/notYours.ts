/** Explains to a user why a template may not be used: see `Numbers.maySendTemplates`. */
export const notYours =
  "the server's WhatsApp account belongs to its operator: connect your own number, and create the template in its account"

/** The same explanation for a message that was already queued. */
export const notYoursCode = "template_not_yours"
