/** The words around a code. */
export interface CodeMessage {
  readonly subject: string
  readonly text: string
}

const minutesLeft = (minutes: number) => (minutes === 1 ? "1 minute" : `${minutes} minutes`)

/** The built-in message: the code first, so that it shows in a notification. */
export const codeMessage = (values: {
  readonly code: string
  readonly brand: string
  readonly minutes: number
}): CodeMessage => ({
  subject: `${values.code} is your ${values.brand} code`,
  text: `${values.code} is your ${values.brand} code. It is valid for ${minutesLeft(values.minutes)}. Do not share it with anyone.`
})
