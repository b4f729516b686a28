/** An answer, before any server has turned it into its own kind. */
export interface WireResponse {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string | Uint8Array
}

/** An answer whose body is text, as all of the contract are. */
export interface TextResponse extends WireResponse {
  readonly body: string
}

const jsonHeaders = { "content-type": "application/json" }

export const json = (status: number, value: unknown, headers?: WireResponse["headers"]): TextResponse => ({
  status,
  headers: headers === undefined ? jsonHeaders : { ...jsonHeaders, ...headers },
  body: JSON.stringify(value)
})
