interface Most {
  readonly max: number
}

interface Range extends Most {
  readonly min: number
}

/** Words separated by commas. */
interface Words {
  readonly values: string
}

/** The things whose number is limited. */
export type Limited =
  | "agents"
  | "endpoints"
  | "hooks"
  | "labels"
  | "saved replies"
  | "sender ids"
  | "teams"
  | "templates"

interface Named {
  readonly name: string
}

interface Texted {
  readonly text: string
}

interface Channelled {
  readonly channel: string
}

/** Another setting and its value. */
interface Other {
  readonly other: string
  readonly value: number
}

/** A fault inside a header, with the fault's own code and sentence. */
interface Inside {
  readonly fault: string
  readonly problem: string
}

/** A reason of the guard, by its stable name. */
interface Judged {
  readonly reason: string
}

/** How a developer lifts a refusal of `http` and private addresses. */
const inDevelopment =
  ". In development, COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS=true allows http and private addresses; in your own process, set " +
  "`allowPrivate` of HttpWebhookSender"

/**
 * Why a field's value is refused, as an English sentence that follows the field's name. The code is stable, so a page
 * can word the problem in another language. A new code needs its Hindi in the dashboard's `problemWords.ts`.
 */
const sentences = {
  // Texts, numbers and choices.
  REQUIRED: () => "is required",
  TEXT: () => "must be text",
  NUMBER: () => "must be a number",
  WHOLE_NUMBER: () => "must be a whole number",
  TRUE_OR_FALSE: () => "must be true or false",
  LIST: () => "must be a list",
  OBJECT: () => "must be an object",
  LENGTH: ({ max, min }: Range) => `must be ${min} to ${max} characters`,
  LINE: ({ max, min }: Range) => `must be ${min} to ${max} characters on one line`,
  TOO_LONG: ({ max }: Most) => `must be at most ${max} characters`,
  LINE_TOO_LONG: ({ max }: Most) => `must be at most ${max} characters on one line`,
  LINE_TOO_LONG_OR_HIDDEN: ({ max }: Most) => `must be at most ${max} visible characters on one line`,
  CONTROL_CHARACTERS: () => "must not have control characters other than line breaks and tabs",
  BETWEEN: ({ max, min }: Range) => `must be a whole number from ${min} to ${max}`,
  ONE_OF: ({ values }: Words) => `must be one of ${values}`,
  EACH_ONE_OF: ({ values }: Words) => `each must be one of ${values}`,
  AT_LEAST_ONE_OF: ({ values }: Words) => `must name at least one of ${values}`,
  TOO_MANY: ({ max }: Most) => `must have at most ${max} entries`,
  FULL: ({ holder, max, things }: Most & { readonly holder: "environment" | "merchant"; readonly things: Limited }) =>
    `this ${holder} already has ${max} ${things}; remove one first`,
  TIME: () => "must be a time in ISO 8601, such as 2026-01-31T09:30:00.000Z",
  MONTH: () => "must be a month, such as 2026-11",
  TIME_ZONE: () => "must be an IANA time zone such as Asia/Kolkata",
  TAG: () => "must be a tag's name and value, such as plan:trial",
  LANGUAGE: () => "must be a language such as en, hi or en-IN",
  NOT_BEFORE: ({ other }: { readonly other: string }) => `must not be before ${other}`,
  BEFORE: ({ other }: { readonly other: string }) => `must be before ${other}`,
  BUCKET_OLD: () => "must be at most 35 days ago for this bucket; for older statistics, use bucket 1d",
  POINTS: ({ max }: Most) => `must be closer to \`to\`: the range has more than ${max} points; or use a larger bucket`,
  RANGE_LONG: ({ days }: { readonly days: number }) => `must be at most ${days} days before to`,
  CURSOR: () => "must be the nextCursor of the previous page",
  UNCHANGEABLE: ({ thing }: { readonly thing: "template" }) => `cannot be changed; create another ${thing}`,
  NAME_TAKEN: ({ thing }: { readonly thing: "label" | "saved reply" | "team" }) =>
    `is already the name of another ${thing}`,

  // People.
  PERSON: () => "must be the `person` of a verification, a refusal or a lead of this environment",
  PHONE: () => "must be a possible phone number with its country code",
  PHONE_CHARACTERS: () => "must be a phone number: digits with country code, one leading +, spaces and dashes",
  PHONE_INDIAN: () => "must be an Indian mobile number: ten digits that begin with 6 to 9",
  PHONE_COUNTRY_CODE: () => "must begin with + and the country code: no default country is set for ten-digit numbers",
  PHONE_LEADING_ZERO: () => "must begin with the country code, not with a 0 before the number",
  EMAIL: () => "must be an e-mail address with one @ and no spaces",
  EMAIL_DOMAIN: () => "must have a domain after the @",

  // Verifications.
  NO_CODE: () => "cannot be used: this verification has no code; the end user approves a link or a prompt",

  // Settings.
  SETTING_UNKNOWN: () => "is not a setting",
  SETTING_MEANT: ({ meant }: { readonly meant: string }) => `is not a setting; did you mean ${meant}?`,
  SETTING_LONGER: ({ other, value }: { readonly other: string; readonly value: number }) =>
    `must not be longer than ${other} (${value})`,
  NAME_UNKNOWN: () => "is not a known name here; check the spelling",
  PREFIX: () => "is not a phone number prefix: use 1 to 15 digits that begin with the country code, without +",
  DIGITS: ({ max, min }: Range) => `must be ${min} to ${max} digits`,
  CHANNEL_UNKNOWN: ({ values }: Words) =>
    `is not a channel: use ${values}, or another channel of this server in upper case`,
  CHANNEL_ABSENT: ({ values }: Words) => `is not a channel of this server; it has ${values}`,
  CHANNEL_NAME: () => "must be 2 to 32 capital letters, digits and underscores, with a letter first",
  COUNTRY: () => "must be a country with phone numbers, in two upper-case letters",
  COUNTRIES: () =>
    "must be ISO 3166 country codes in upper case such as IN, or `+` and a calling code without a country such as +881",
  COUNTRY_MEANT: ({ given, meant }: { readonly given: string; readonly meant: string }) =>
    `must be ${meant} instead of ${given}: use the ISO 3166 code`,
  ADDRESS_RANGE: () => "must be an IP address, or a range such as 203.0.113.0/24",
  CLOCK_TIME: () => "must be a time of day such as 21:30",
  APP_HASH: () => "must be the 11 characters of the app's hash",
  DOMAIN: () => "must be a domain in lower case such as shop.example",
  COLOUR: () => "must be a colour such as #0f766e",
  LOGO: () => "must be a PNG as data:image/png;base64,…",
  LOGO_DAMAGED: () => "is a damaged PNG",
  LOGO_BYTES: ({ max }: Most) => `must be at most ${max} bytes`,
  LOGO_SIDE: ({ max }: Most) => `must be at most ${max} pixels wide and high`,
  LOGO_METADATA: () => "must have no metadata: save the PNG without it",
  PASSKEY_RULE_ELSEWHERE: () => "cannot be turned on here; turn it on in the dashboard",
  PASSKEY_RULE_ADDRESS: () => "needs passkeys, and passkeys need a public URL: set baseUrl (PUBLIC_URL)",
  PASSKEY_RULE_LOCKOUT: () => "would lock out every OWNER and ADMIN: one of them must add a passkey first",

  // Addresses.
  URL_ABSOLUTE: () => "is not an absolute URL",
  URL_CHARACTERS: () => "must not contain spaces, control characters or backslashes",
  URL_ENCODED_TOO_LONG: ({ max }: Most) => `must be at most ${max} characters, with non-ASCII letters written as %XX`,
  URL_FRAGMENT: () => "must not have a fragment",
  URL_HOST: () => "must have a host of letters, digits, dots and dashes",
  URL_HTTPS: () => "must start with https://",
  URL_HTTPS_UNLESS_PRIVATE: () => `must start with https://${inDevelopment}`,
  URL_HTTPS_OR_LOCAL: () => "must be https; http is for localhost alone",
  URL_PARAMETERS: () => "must not have code, state or requestId in its query",
  URL_PORT: () => "must have a port from 1 to 65535, or none",
  URL_PUBLIC: () => "must be on the public internet",
  URL_PUBLIC_UNLESS_PRIVATE: () => `must be on the public internet${inDevelopment}`,
  URL_SCHEME: ({ scheme }: { readonly scheme: string }) => `cannot be a ${scheme}: address`,
  URL_SLASH: () => "must have a / after its scheme",
  URL_SPELLING: ({ url }: { readonly url: string }) => `must be written ${url}`,
  URL_SUCH_AS: () => "must be a URL such as https://example.com/webhooks",
  URL_USER: () => "must not contain a user name or password",
  HOST_NAME: () => "must have a valid host name",
  HOST_UNKNOWN: () => "cannot be used: the host name has no address",
  HOST_NOT_LOOKED_UP: () => "cannot be used: the host name could not be looked up",
  HOST_PRIVATE: () =>
    `cannot be used: the host name leads to an address that is not on the public internet${inDevelopment}`,

  // Webhooks.
  ENDPOINT_DISABLED: () => "the endpoint is disabled; enable it first",
  EVENTS_NONE: () => "must name at least one type; omit it for all types",
  SECRETS_FULL: ({ max, until }: Most & { readonly until: string }) =>
    `already has ${max} valid versions; rotate again after ${until}, or end all older secrets now with endOthers: true`,
  STANDARD_SECRET: () => "must be v1,whsec_ and 24 to 66 bytes in base64, as the sign-in system shows it",
  SHARED_SECRET: ({ max, min }: Range) => `must be ${min} to ${max} visible ASCII characters without spaces`,
  WEBHOOKS_OFF: () => "webhooks are not enabled: this service has no webhook sender",

  // Keys.
  KEYS_FULL: ({ max }: Most) => `this environment already has ${max} keys; revoke an unused key first`,
  SCOPES_OF_PUBLIC_KEY: () => "must be empty for a public key",
  SECRET_OF_PUBLIC_KEY: () => "a public key has no secret; create another key and revoke this one",

  // Money.
  AMOUNT: ({ max, min }: Range) => `must be a whole number from ${min} to ${max}, in the smallest unit of money`,
  AMOUNT_NOT_0: ({ max, min }: Range) => `must be a whole number from ${min} to ${max}, and not 0`,
  BALANCE_TOO_HIGH: ({ balance, max }: Most & { readonly balance: number }) =>
    `would raise the balance above ${max}; it is ${balance} now`,
  BALANCE_TOO_LOW: ({ balance, creditLimit }: { readonly balance: number; readonly creditLimit: number }) =>
    `must not exceed the balance of ${balance} plus the credit limit of ${creditLimit}`,

  // Team and sign-in.
  AGENT_TAKEN: () => "belongs to another agent of this merchant",
  AGENT_UNKNOWN: () => "belongs to no agent of this merchant; invite them first",
  AGENT_STATUS: ({ status }: { readonly status: string }) => `belongs to an agent who is already ${status}`,
  AGENT_SUSPENDED: () => "belongs to an agent who is SUSPENDED and cannot sign in; make them ACTIVE first",
  INVITED_BEFORE: () =>
    "is INVITED only until the first sign-in; for another link, an OWNER calls POST /v1/dashboard/agents/{id}/invite",
  LAST_OWNER: () => "belongs to the last OWNER and cannot change; make another agent an OWNER first",
  MEMBER_UNKNOWN: ({ id }: { readonly id: number }) => `must name agents of this merchant; ${id} is not one of them`,
  MEMBERS_ONCE: () => "must name each agent once",
  PASSKEYS_FULL: ({ max }: Most) => `you already have ${max} passkeys; remove one first`,
  PASSKEY_MISMATCH: () => "does not match the challenge; request new options and try again",

  // Leads and messages.
  LABEL_NAME: ({ max }: Most) => `must be 1 to ${max} visible characters on one line`,
  LABELS_FULL: ({ max }: Most) => `would give the lead more than ${max} labels; take one off first`,
  LEAD_IDS: ({ max, min }: Range) => `must be the ids of ${min} to ${max} leads`,
  ACTION_ONLY: ({ action }: { readonly action: string }) => `is only for the action ${action}; omit it for others`,
  SNOOZE_TIME: () => "must be a time in ISO 8601 that is in the future, and within a year",
  DIGEST_NOT_OFFERED: () =>
    "needs an e-mail channel that sends notices and a public URL, which this deployment has not configured",
  DIGEST_ROLE: () =>
    "needs the role AGENT or higher, because only those answer customers; ask an ADMIN for another role",
  DIGEST_UNPROVEN: () => "needs proof that the address is yours; sign in once with a code sent by e-mail",
  PUSH_NOT_OFFERED: () => "cannot be used: this deployment sends no push notifications",
  PUSH_ROLE: () =>
    "needs a session with the role AGENT or higher; ask an ADMIN for another role, or sign in with your passkey",
  PUSH_KEY: () => "must be the browser's own key, as its push subscription returns it",
  PUSH_SERVER_KEY: () => "must be the current `key` of this list; read the list and subscribe again",
  LEAD_KNOWN: ({ id }: { readonly id: number }) => `is lead ${id} already`,
  REPLY_FIRST: () => "can be sent only after the customer has written; send a template instead",
  REPLY_LATE: ({ at }: { readonly at: string }) =>
    `can be sent within 24 hours of the customer's last message, and they ended at ${at}; send a template instead`,
  REPLY_OPTED_OUT: () => "the customer has opted out: you can answer within 24 hours of their next message",
  FILE_EMPTY: () => "is empty: choose another file",
  FILE_TYPE: () =>
    "must be a JPEG or PNG picture, an MP4 or 3GP video, a recording (OGG with Opus, MP3, AAC, AMR, M4A), a PDF, a Word, Excel or PowerPoint document without macros, or plain text",
  FILE_LARGE: ({ kind, max }: Most & { readonly kind: "image" | "audio" | "video" | "document" }) =>
    `must be at most ${max} MB as a file of the kind ${kind}`,
  FILE_EXPIRED: () => "is not a file of this conversation, or has expired; attach the file again",
  FILE_NUMBER_GONE: () => "cannot be sent: the number that the customer wrote to is no longer connected",
  FILES_OFF: () => "cannot be sent: the server's WhatsApp provider accepts no files",
  NO_CAPTION: () => "cannot be the caption of a recording; send it as a message of its own",
  SEARCH_SHORT: ({ digits, letters }: { readonly digits: number; readonly letters: number }) =>
    `must have at least ${letters} letters or ${digits} digits`,
  SEARCH_DIGITS: ({ digits }: { readonly digits: number }) =>
    `must be the last ${digits} digits of a number, or the whole number`,
  SEARCH_MIXED: ({ max }: Most) => `must have at most ${max} digits when it contains letters`,
  TEMPLATE_NOT_YOURS: () =>
    "the server's WhatsApp account belongs to its operator: connect your own number, and create the template in its account",
  TEMPLATE_NAME: () => "must be a template's id or name",
  TEMPLATE_OR_WHATSAPP: () =>
    "must be the id or name of your template, or its WhatsApp name and language such as welcome/en_US",
  VALUES: ({ count, template }: { readonly count: number; readonly template: string }) =>
    `must be ${count}, one for each placeholder of the template ${template}`,
  NOT_FOR_CHANNEL: ({ channel }: { readonly channel: string }) => `is not for channel ${channel}`,
  NOT_SUBMITTED: () => "only templates for WHATSAPP are submitted",
  SENDER_ID: () => "must be a DLT sender id of 6 letters",
  WHATSAPP_ID: () => "must be the phone number id from WhatsApp, in digits",
  ACCESS_TOKEN: ({ max }: Most) => `must be an access token of at most ${max} characters`,

  // Campaigns.
  CSV: () => "must be the text of a CSV file",
  START_PAST: () => "is in the past; omit it to start immediately",
  START_FAR: () => "must be within a year",
  CAMPAIGNS_UNFINISHED: ({ max }: Most) =>
    `this environment already has ${max} unfinished campaigns; cancel one, or wait until one ends`,
  RECIPIENTS_WAITING: ({ max, total, waiting }: Most & { readonly total: number; readonly waiting: number }) =>
    `other campaigns have ${waiting} waiting recipients, and these ${total} would exceed the limit of ${max}; cancel a campaign, or wait until one ends`,
  RECIPIENTS_UNWRITTEN: ({ max, total, unwritten }: Most & { readonly total: number; readonly unwritten: number }) =>
    `other campaigns, most of them cancelled, hold ${unwritten} recipients without a message, and these ${total} would exceed the limit of ${max}; wait until the oldest are deleted`,

  // Lists of recipients.
  CSV_EMPTY: () => "the file is empty",
  CSV_WORKBOOK: () => "the file is a workbook or a zip file; save it as CSV UTF-8",
  CSV_UTF16: () => "the file is UTF-16 or not text; save it as CSV UTF-8",
  CSV_NOT_UTF8: () => "the file is not UTF-8; save it as CSV UTF-8",
  CSV_HEADER: ({ problem }: Inside) => `the header ${problem}`,
  CSV_NO_PHONE: ({ columns }: { readonly columns: string }) => `is missing; the columns are ${columns}`,
  CSV_NO_HEADER: () => "is missing; the first line must name the columns, but it contains a number",
  CSV_COLUMN_MISSING: () => "is missing; the template has a placeholder of that name",
  CSV_COLUMN_REPEATED: ({ count }: { readonly count: number }) => `occurs ${count} times; keep one of them`,
  CSV_COLUMNS: ({ max }: Most) => `has more than ${max} columns`,
  CSV_LINES: ({ max }: Most) => `exceeds the limit of ${max} lines; split the list into several campaigns`,
  CSV_CELLS: ({ cells, columns }: { readonly cells: number; readonly columns: number }) =>
    `has ${cells} cells, but the header has ${columns}; put quotes around cells that contain delimiters`,
  CSV_QUOTE_OPEN: ({ line }: { readonly line: number }) => `begins with a quote on line ${line} that is never closed`,
  CSV_QUOTE_TEXT: () => "has text after its closing quote; write a quote inside a quoted cell twice",
  CSV_NO_RECIPIENTS: () => "has a header but no recipients",
  CSV_SMS_LONG: ({ length, max }: Most & { readonly length: number }) =>
    `makes an SMS of ${length} characters; the limit is ${max}`,
  LISTED_EMPTY: () => "is empty",
  LISTED_INVISIBLE: () => "has invisible characters; type the number again by hand",
  LISTED_APOSTROPHE: () => "begins with an apostrophe; write only the number",
  LISTED_SHORTENED: () =>
    "was shortened by a spreadsheet, and its last digits are lost; format the column as text and fill it in again",
  LISTED_AMOUNT: () => "was formatted as an amount; format the column as text, without decimals",
  LISTED_00: () => "begins with 00; write + and the country code instead",
  LISTED_CHARACTERS: () => "must be one phone number with its country code, in digits",
  VALUE_EMPTY: () => "is empty; fill it in, or remove the line",
  VALUE_DAMAGED: () => "has a damaged character; save the file as CSV UTF-8",
  VALUE_CONTROL: () => "has control characters",
  VALUE_DIRECTION: () => "has characters that change the text direction; remove them",
  VALUE_TAB: () => "has a tab",
  VALUE_LINE_BREAK: () => "has a line break, which WhatsApp rejects",
  VALUE_SPACES: () => "has more than four spaces in a row, which WhatsApp rejects",

  // Findings about templates.
  OVER: ({ max }: Most) => `is longer than ${max} characters`,
  PLACEHOLDER_UNKNOWN: ({ name }: Named) => `{{${name}}} is not a placeholder`,
  PLACEHOLDER_NEEDED: ({ name }: Named) => `must contain {{${name}}}`,
  PLACEHOLDER_FORBIDDEN: ({ name }: Named) => `must not contain {{${name}}}`,
  PLACEHOLDER_BRACES: () => "has {{ or }} outside a placeholder",
  PLACEHOLDER_DLT: ({ place }: { readonly place: string }) =>
    `${place} is DLT's form of a placeholder; write {{code}} or another placeholder of Countersign there`,
  LINK_APART: () => "must have only white space, or nothing, directly before and after {{link}}",
  SMS_SEGMENTS: ({
    encoding,
    letters,
    segments
  }: {
    readonly encoding: string
    readonly letters: string
    readonly segments: number
  }) =>
    `needs ${segments} SMS segments (${encoding}${letters === "" ? "" : ` because of ${letters}`}), and each is charged`,
  SMS_DOMAIN_LINE: () => "the last line must be exactly `@{{domain}} #{{code}}` for autofill in browsers",
  SMS_APP_HASH: () => "must end with {{appHash}}, or Android does not pass it to the app",
  SMS_APP_BYTES: ({ max }: Most) => `is longer than ${max} bytes, so Android does not pass it to the app`,
  DLT_TEMPLATE_ID: () => "must be a DLT template id of 19 digits",
  DLT_HEADER_UNKNOWN: () => "is not one of your sender ids; register it first",
  DLT_BRAND: ({ length, max }: Most & { readonly length: number }) =>
    `{{brand}} is ${length} characters long, but DLT allows ${max} in a placeholder`,
  DLT_PLACES: ({ max }: Most) => `the sent text has more than ${max} placeholders`,
  DLT_START: ({ text }: Texted) => `the sent text does not begin with “${text}” as the registered text does`,
  DLT_BEFORE: ({ max, text }: Most & Texted) =>
    `the sent text does not match the registered text before “${text}”, where a placeholder takes 1 to ${max} characters`,
  DLT_END: ({ max }: Most) =>
    `the sent text does not match the registered text at its end, where a placeholder takes 1 to ${max} characters`,
  DLT_REST: () => "the sent text continues after the end of the registered text",
  MAIL_LINE: () => "must be one line",
  MAIL_SUBJECT_LINK: () => "must not contain {{link}}: a link in a subject cannot be opened",
  HTML_TAG: ({ tag }: { readonly tag: string }) => `must not have a <${tag}>`,
  HTML_BRACKET: () => "has a < that belongs to no tag; write &lt;",
  HTML_HANDLER: () => "must not have attributes such as onclick that run scripts",
  HTML_ADDRESS: () => "must not have addresses that begin with javascript:, vbscript: or data:",
  HTML_REFRESH: () => "must not redirect the reader with <meta refresh>",
  HTML_PLACE: () =>
    'may have a placeholder inside a tag only as href="{{link}}", or in the quotes of alt, title or aria-label',
  HTML_STYLE: () => "must not have a placeholder in a <style>",
  HTML_REMOTE: () => "loads remote content, which many mail programs block, and which reveals who opened the mail",
  HTML_LARGE: () => "is longer than 100 KB, so Gmail cuts off the rest",
  WHATSAPP_NAME: () => "must be 1 to 512 of a-z, 0-9 and _",
  WHATSAPP_LANGUAGE: () => "must be a WhatsApp language such as en, en_US or hi",
  WHATSAPP_CODE_TEXT: () => "is not sent: WhatsApp writes the text of templates for codes",
  WHATSAPP_EDGES: () => "must not begin or end with a placeholder on WhatsApp",
  WHATSAPP_SPACES: () => "must not have tabs, four spaces or two empty lines on WhatsApp",
  WHATSAPP_PENDING: () => "waits for WhatsApp's approval, and is not sent before",
  WHATSAPP_REJECTED: () => "was rejected by WhatsApp, and is not sent",
  WHATSAPP_PAUSED: () => "was paused by WhatsApp because of complaints, and is not sent",
  WHATSAPP_DISABLED: () => "was disabled by WhatsApp, and is not sent",
  WHATSAPP_MISSING: () => "does not exist at WhatsApp in this language: submit it, or create it there",
  WHATSAPP_UNKNOWN: () =>
    "has an unknown state because WhatsApp did not answer; it is sent after WhatsApp confirms its approval",

  // Warnings about settings.
  REACHED_FIRST: ({ other, value }: Other) => `is longer than ${other} (${value}), which is reached first`,
  NEVER_REACHED: ({ other, value }: Other) => `is lower than ${other} (${value}), so ${other} is never reached`,
  TRUST_ENDS_FIRST: ({ other, value }: Other) => `is longer than ${other} (${value}), which ends the trust first`,
  CODE_EXPIRES_FIRST: ({ other, value }: Other) =>
    `must be shorter than ${other} (${value}): the code expires before the fallback starts`,
  NO_PROVIDER: ({ channel }: Channelled) => `this server has no provider for ${channel}`,
  FALLBACK_NO_PROVIDER: ({ channel }: Channelled) => `does not work: this server has no provider for ${channel}`,
  FALLBACK_IS_PRIMARY: () => "is also the primary channel, so its messages have no fallback",
  FALLBACK_IS_EMAIL: () => "cannot reach phone numbers, so their codes have no fallback",
  LINKS_NO_CHANNEL: () => "does not work: no channel of this server sends links",
  LINKS_NO_ADDRESS: () => "does not work: links need a public URL; set baseUrl (PUBLIC_URL)",
  PRICE_MISSING: ({ channel }: Channelled) => `has no price for ${channel}, but billing is PREPAID`,
  UNBILLED_EFFECT: () => "has no effect while billing is OFF",
  UNBILLED_WARNING: () => "sends no warning while billing is OFF",
  UNBILLED_RESERVE: () => "reserves nothing for codes while billing is OFF",

  // Numbers that the settings do not allow, or that the guard refuses.
  DESTINATION_PREFIX: () => "numbers with this prefix are blocked",
  DESTINATION_CODE: ({ code }: { readonly code: string }) =>
    `+${code} belongs to no country, and is not in allowedCountries`,
  DESTINATION_COUNTRY: () => "numbers of this country are not allowed",
  DESTINATION_TYPE: ({ type }: { readonly type: string }) => `${type} numbers are not allowed`,
  GUARD_REFUSED: ({ reason }: Judged) => `the guard refuses to send a code to this phone number: ${reason}`,
  GUARD_DELAYED: ({ reason }: Judged) => `the guard waits until earlier codes were entered: ${reason}`
}

/** A stable code of a field's problem. */
export type ProblemCode = keyof typeof sentences

/** What a code's sentence names. */
export type ProblemParams<C extends ProblemCode> = Parameters<(typeof sentences)[C]> extends [infer P] ? P : object

/** Why a value is refused: a stable code, what its sentence names, and the English sentence. */
export interface Problem {
  readonly code: ProblemCode
  readonly params: { readonly [name: string]: string | number }
  readonly problem: string
}

/** A problem that has no code when its sentence is a provider's own. */
export interface Worded extends Omit<Problem, "code"> {
  readonly code: ProblemCode | null
}

/** A sentence without a code, such as a provider's. */
export const uncoded = (problem: string): Worded => ({ code: null, params: {}, problem })

/** All codes, in the order of the documentation. */
export const codes = Object.keys(sentences) as ReadonlyArray<ProblemCode>

/** A problem by its code. */
export const of = <C extends ProblemCode>(code: C, ...[params]: Parameters<(typeof sentences)[C]>): Problem => {
  const sentence = sentences[code] as (params: unknown) => string
  return { code, params: { ...(params as Problem["params"] | undefined) }, problem: sentence(params) }
}

/** The English sentence of a code, with the names of its parameters in braces: for the documentation. */
export const pattern = (code: ProblemCode): string =>
  (sentences[code] as (params: unknown) => string)(new Proxy({}, { get: (_, name) => `{${String(name)}}` }))
