/** Why a template may not be used, for people: see `Numbers.maySendTemplates`. */
export const notYours =
  "the server's own WhatsApp account is not yours: connect a number of your own, and make the template in its account"

/** The same for a message that was on its way already. */
export const notYoursCode = "template_not_yours"
