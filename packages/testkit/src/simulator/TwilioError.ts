/** An HTTP response of Twilio. */
export interface TwilioAnswer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** HTTP status and message of error codes. `{to}` is the recipient, which Twilio's errors often repeat. */
const errors: ReadonlyMap<number, readonly [status: number, words: string]> = new Map([
  [20003, [401, "Authenticate"]],
  [20005, [403, "Account not active"]],
  [20404, [404, "The requested resource was not found"]],
  [20429, [429, "Too Many Requests"]],
  [20500, [500, "Internal Server Error"]],
  [20503, [503, "Service Unavailable"]],
  [21211, [400, "Invalid 'To' Phone Number: {to}"]],
  [21212, [400, "Invalid From Number (caller ID)"]],
  [21408, [403, "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: {to}"]],
  [21602, [400, "Message body is required."]],
  [21603, [400, "A 'From' phone number is required."]],
  [21604, [400, "A 'To' phone number is required."]],
  [21606, [400, "The 'From' phone number is not a valid, SMS-capable Twilio phone number."]],
  [21609, [400, "The 'StatusCallback' URL is not a valid URL."]],
  [21610, [400, "Attempt to send to unsubscribed recipient {to}"]],
  [21611, [429, "The 'From' number has exceeded the maximum number of queued messages"]],
  [21612, [400, "Message cannot be sent with the current combination of 'To' ({to}) and 'From' parameters"]],
  [21614, [400, "'To' number {to} is not a valid mobile number"]],
  [21617, [400, "The concatenated message body exceeds the 1600 character limit"]],
  [63007, [400, "Twilio could not find a Channel with the specified From address"]]
])

/** Twilio's response with this error code. Codes without a text here are a 400 that repeats the recipient. */
export const twilioError = (code: number, to = ""): TwilioAnswer => {
  const [status, words] = errors.get(code) ?? [400, "The message to {to} was not sent"]
  const message = words.replace("{to}", () => to)
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })
  }
}

/** The proxy in front of Twilio answers in HTML. */
export const page = (status: number): TwilioAnswer => ({
  status,
  headers: { "content-type": "text/html" },
  body: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`
})
