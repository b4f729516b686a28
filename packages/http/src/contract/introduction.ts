/** What a reference begins with, in Markdown: what this is, the shortest login, credentials, failures. */
export const introduction = `A verification service. It sends a one-time code or a link, checks what comes back, and tells your backend who was verified.
Your users and your sessions stay yours.

## A login

1. \`POST /v1/auth/initiate\` sends a code. Keep the \`requestId\` of the answer in the visitor's session on your server.
2. \`POST /v1/auth/verify\` checks what was typed. **A wrong code is a 200 with \`"verified": false\`.**
3. \`POST /v1/auth/verify-code\` tells who was verified, and when. Sign in the number of that answer, each \`requestId\` once.

\`\`\`sh
curl -s localhost:8080/v1/auth/initiate \\
  -H "X-Client-Id: $ID" -H "X-Client-Secret: $SECRET" -H 'Content-Type: application/json' \\
  -d '{"identity":"+919876543210","identityType":"MOBILE","mode":"OTP"}'
\`\`\`

With keys of the \`test\` environment nothing is sent, and every code is \`123456\`.

## Who may call what

| credential | header | for |
| --- | --- | --- |
| server key | \`X-Client-Id\` and \`X-Client-Secret\`, both | your backend, and nothing else. A key has scopes: \`auth\`, \`leads\`, \`dashboard\` |
| public key | \`X-Public-Key\` | apps and pages. No secret: it starts logins of its own, and opens nobody else's |
| session token | \`Authorization: Bearer …\` | apps: ten minutes, made by your backend with \`POST /v1/sdk/session\` |
| dashboard session | a cookie, with \`X-Environment: live\` or \`test\` | people who are signed in, each with a role |
| admin token | \`Authorization: Bearer …\` | the operator alone |

Keys belong to an environment, \`live\` or \`test\`; what one made does not exist in the other. Every operation below says which
credential it takes.

## Failures

Every failure is \`{"errorCode", "message", "requestId"}\`. Branch on \`errorCode\`: it is stable. A 429 and most 503 carry
\`Retry-After\`. Every POST under \`/v1\` takes an \`Idempotency-Key\` (a UUID): a repeat gets the first answer and sends nothing.`

/** What each credential is, beside its header. */
export const credentials = {
  clientId: "One half of a server key; `X-Client-Secret` is the other. For backends only",
  clientSecret: "The other half of a server key. Never in a browser or an app",
  publicKey: "For apps and pages. It is no secret",
  sessionToken: "Made by your backend with `POST /v1/sdk/session`, for one of its apps; ten minutes",
  signedIn: "Somebody who is signed in to the dashboard; with `X-Environment` where an environment is meant",
  adminToken: "The operator's `COUNTERSIGN_ADMIN_TOKEN`"
} as const
