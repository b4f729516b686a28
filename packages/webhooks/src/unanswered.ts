import { WebhookUnanswered } from "@countersign/core"

type Reason = WebhookUnanswered["reason"]

/** Problems by Node's error code. The error's message is never shown, because it contains the resolved address. */
const problems: { readonly [code: string]: readonly [reason: Reason, problem: string] } = {
  ECONNREFUSED: ["CONNECTION", "the server refused the connection"],
  ECONNRESET: ["CONNECTION", "the server closed the connection before its answer was complete"],
  EPIPE: ["CONNECTION", "the server closed the connection before its answer was complete"],
  ETIMEDOUT: ["CONNECTION", "the server could not be reached"],
  EHOSTUNREACH: ["CONNECTION", "the server could not be reached"],
  ENETUNREACH: ["CONNECTION", "the server could not be reached"],
  EADDRNOTAVAIL: ["CONNECTION", "the server could not be reached"],
  CERT_HAS_EXPIRED: ["TLS", "the server's certificate has expired"],
  CERT_NOT_YET_VALID: ["TLS", "the server's certificate is not valid yet"],
  ERR_TLS_CERT_ALTNAME_INVALID: ["TLS", "the server's certificate is for another name"],
  DEPTH_ZERO_SELF_SIGNED_CERT: ["TLS", "the server's certificate is self-signed"],
  SELF_SIGNED_CERT_IN_CHAIN: ["TLS", "the server's certificate is not from a known authority"],
  UNABLE_TO_GET_ISSUER_CERT: ["TLS", "the server's certificate is not from a known authority"],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ["TLS", "the server's certificate is not from a known authority"],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ["TLS", "the server does not send its intermediate certificates"],
  HPE_HEADER_OVERFLOW: ["PROTOCOL", "the headers of the answer are larger than 16 KB"],
  EPROTO: ["TLS", "no TLS connection could be made: check that the server speaks TLS on this port"]
}

/** Problems by prefix, for codes without their own row. */
const families: ReadonlyArray<readonly [prefix: RegExp, reason: Reason, problem: string]> = [
  [/^ERR_SSL_/, "TLS", "no TLS connection could be made: check that the server speaks TLS on this port"],
  [
    /^(CERT_|CRL_|UNABLE_TO_|ERR_TLS_|HOSTNAME_|INVALID_|PATH_LENGTH_)/,
    "TLS",
    "the server's certificate is not trusted"
  ],
  [/^HPE_/, "PROTOCOL", "the answer is not HTTP"]
]

export const unanswered = (reason: Reason, problem: string): WebhookUnanswered =>
  new WebhookUnanswered({ reason, problem })

/** The merchant's message for a connection error. */
export const fromCode = (code: string): WebhookUnanswered => {
  const row = problems[code]
  if (row !== undefined) return unanswered(...row)
  const family = families.find(([prefix]) => prefix.test(code))
  return family === undefined ? unanswered("CONNECTION", "the connection failed") : unanswered(family[1], family[2])
}
