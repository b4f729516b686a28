/** A Graph API response: a status, and a value that is sent as JSON. */
export interface GraphAnswer {
  readonly status: number
  readonly body: unknown
}

interface Entry {
  readonly status: number
  readonly message: string
  readonly type?: string
}

/** Meta's texts for the codes that a double is likely to return. The statuses were observed from Meta. */
const entries: { readonly [code: number]: Entry } = {
  100: { status: 400, message: "Invalid parameter" },
  190: { status: 401, message: "Error validating access token" },
  2: { status: 500, message: "Service temporarily unavailable" },
  4: { status: 400, message: "Application request limit reached" },
  80007: { status: 400, message: "Rate limit issues" },
  130429: { status: 429, message: "Rate limit hit" },
  131000: { status: 500, message: "Something went wrong" },
  131008: { status: 400, message: "Required parameter is missing" },
  131009: { status: 400, message: "Parameter value is not valid" },
  131026: { status: 400, message: "Message undeliverable" },
  131047: { status: 400, message: "Re-engagement message" },
  131048: { status: 400, message: "Spam rate limit hit" },
  131051: { status: 400, message: "Unsupported message type" },
  131052: { status: 400, message: "Media download error" },
  131056: { status: 400, message: "(Business Account, Consumer Account) pair rate limit hit" },
  131062: { status: 400, message: "Business-scoped user id recipients are not supported for this message" },
  132000: { status: 400, message: "Number of parameters does not match the expected number of params" },
  132001: { status: 404, message: "Template name does not exist in the translation" },
  132005: { status: 400, message: "Translated text too long" },
  132012: { status: 400, message: "Parameter format does not match format in the created template" },
  132015: { status: 400, message: "Template is paused" },
  132016: { status: 400, message: "Template is disabled" },
  132018: { status: 400, message: "There is an issue with the parameters in your template" },
  133010: { status: 400, message: "The account is not registered" }
}

export interface ErrorWords {
  readonly details?: string | undefined
  readonly subcode?: number | undefined
  /** Replaces the usual status. Meta sends one code with various statuses. */
  readonly status?: number | undefined
}

/** Meta's text for a code in a receipt, where it is a title. */
export const titleOf = (code: number): string => entries[code]?.message ?? "Unknown error"

/** An error in Meta's form. */
export const graphError = (code: number, { details, status, subcode }: ErrorWords = {}): GraphAnswer => ({
  status: status ?? entries[code]?.status ?? 400,
  body: {
    error: {
      message: `(#${code}) ${titleOf(code)}`,
      type: "OAuthException",
      code,
      ...(subcode === undefined ? {} : { error_subcode: subcode }),
      error_data: { messaging_product: "whatsapp", details: details ?? titleOf(code) },
      fbtrace_id: "AbCdEfGhIjKlMnOpQrStUv"
    }
  }
})
