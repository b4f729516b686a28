import { createServer, type Server, type ServerOptions } from "@countersign/sdk/server"

interface Request {
  readonly identity: string
  readonly identityType: "MOBILE" | "EMAIL"
  readonly mode?: "OTP" | "MAGIC_LINK"
  readonly channel?: string | null
  readonly orderId?: string
  readonly redirectUri?: string
  readonly state?: string
  readonly codeChallenge?: string
  readonly clientIp?: string | null
  readonly userAgent?: string | null
  readonly deviceInfo?: Readonly<Record<string, unknown>>
}

/** What this package calls: a `Server` of `@countersign/sdk/server`, or a `Countersign` inside the process. */
export interface VerificationClient {
  readonly initiate: (request: Request) => Promise<unknown>
  readonly verify: (request: {
    readonly orderId: string
    readonly otp: string
  }) => Promise<{ readonly verified: boolean; readonly already?: true | undefined }>
  readonly token: (request: {
    readonly code: string
    readonly codeVerifier: string
  }) => Promise<{ readonly identity: string }>
}

/** A client, or a function that returns one, such as `Countersign.once(…)`. */
export interface ClientOptions {
  readonly client: VerificationClient | (() => VerificationClient | Promise<VerificationClient>)
}

/** The client that the options describe. */
export const clientOf = (options: ClientOptions | ServerOptions): (() => Promise<VerificationClient>) => {
  if (!("client" in options)) {
    const server: Server = createServer(options)
    return async () => server
  }
  const { client } = options
  return async () => (typeof client === "function" ? client() : client)
}
