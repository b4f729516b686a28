/** The address in the introduction. A server replaces it by its own. */
export const sampleAddress = "http://localhost:8080"

/** The introduction of the API reference, in Markdown. */
export const introduction = `A verification service. It sends a one-time code or a link, checks what comes back, and tells your backend who was verified.
Your users and your sessions stay yours.

## A login

1. \`POST /v1/auth/initiate\` sends a code. Store the returned \`requestId\` in the visitor's session on your server.
2. \`POST /v1/auth/verify\` checks the code. **A wrong code is a 200 with \`"verified": false\`.**
3. \`POST /v1/auth/verify-code\` returns who was verified, and when. Sign in that number, once per \`requestId\`.

\`\`\`sh
curl -s ${sampleAddress}/v1/auth/initiate \\
  -H "X-Client-Id: $ID" \\
  -H "X-Client-Secret: $SECRET" \\
  -H 'Content-Type: application/json' \\
  -d '{"identity": "+919876543210",
       "identityType": "MOBILE",
       "mode": "OTP"}'
\`\`\`

With keys of the \`test\` environment no message is sent, and every code is \`123456\`.

## Credentials

| credential | header | for |
| --- | --- | --- |
| server key | \`X-Client-Id\` and \`X-Client-Secret\`, both | your backend only. A key has scopes: \`auth\`, \`leads\`, \`dashboard\` |
| public key | \`X-Public-Key\` | apps and pages. Not a secret: it can start logins, but has no access to logins of other clients |
| session token | \`Authorization: Bearer …\` | apps. Valid for ten minutes; your backend creates it with \`POST /v1/sdk/session\` |
| dashboard session | a cookie, with \`X-Environment: live\` or \`test\` | signed-in agents, each with a role |
| admin token | \`Authorization: Bearer …\` | the operator only |

A key belongs to one environment, \`live\` or \`test\`. Data of one environment does not exist in the other. Every operation below
lists the credentials that it accepts.

## Failures

Every failure has the body \`{"errorCode", "message", "requestId"}\`. Branch on \`errorCode\`: it is stable. A 429 and most 503 carry
\`Retry-After\`. Every POST under \`/v1\` accepts an \`Idempotency-Key\` (a UUID): a repeat gets the first answer and sends nothing.`

/** The descriptions of the credentials. */
export const credentials = {
  clientId: "The id of a server key, sent together with `X-Client-Secret`. For backends only",
  clientSecret: "The secret of a server key. Never use it in a browser or an app",
  publicKey: "For apps and pages. Not a secret",
  sessionToken: "Created by your backend with `POST /v1/sdk/session` for one of its apps. Valid for ten minutes",
  signedIn: "The session of an agent who is signed in to the dashboard. Send `X-Environment` where required",
  adminToken: "The operator's `COUNTERSIGN_ADMIN_TOKEN`"
} as const
