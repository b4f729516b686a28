import { signal, useComputed, useSignal } from "@preact/signals"
import { call } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { Button, Copy } from "../parts/Button.tsx"
import { Confirm, Dialog } from "../parts/Dialog.tsx"
import { Field, Form, TextField } from "../parts/Form.tsx"
import { Refusal } from "../parts/Loaded.tsx"
import { tell } from "../parts/Toast.tsx"
import { useQuery } from "../query/useQuery.ts"
import { useSend } from "../query/useSend.ts"
import { say } from "../words/say.ts"
import { canUsePasskeys, answerWithPasskey } from "./passkey.ts"
import { asked, restoreSession, loadUser, me, signInLater } from "./session.ts"

/** The error shown above the sign-in form, such as an invalid link or a failed organisation sign-in. */
export const trouble = signal<string | null>(null)

/** The command with which the operator creates a sign-in link when no mail server is configured. */
const byCommand = "countersign merchant sign-in-link"

/** The service answers 401 for every failed sign-in, so the message covers all causes. */
const inWords = (failure: Failure | null, refused = say.signIn.refused): Failure | null =>
  failure?.status === 401 ? { ...failure, message: refused, requestId: null } : failure

export function WithPasskey({ label = say.signIn.passkey }: { readonly label?: string }) {
  const options = useSend("POST /v1/dashboard/sessions/passkey/options")
  const confirm = useSend("POST /v1/dashboard/sessions/passkey")
  const signIn = async () => {
    const given = await options.send({})
    const response = given === null ? null : await answerWithPasskey(given.body)
    if (response !== null && (await confirm.send({ body: { response } })) !== null) await loadUser()
  }
  const failure = inWords(options.failure.value ?? confirm.failure.value, say.signIn.passkeyRefused)
  return (
    <>
      <Button onPress={() => void signIn()} busy={options.busy.value || confirm.busy.value}>
        {label}
      </Button>
      {failure === null ? null : <Refusal failure={failure} />}
    </>
  )
}

/** Asks for the e-mail address, then for the code sent to it. */
function WithCode({ email, outbox }: { readonly email: string; readonly outbox: string | null }) {
  const address = useSignal(email)
  const code = useSignal("")
  const isSent = useSignal(false)
  const ask = useSend("POST /v1/dashboard/sessions")
  const confirm = useSend("POST /v1/dashboard/sessions/confirm")
  const submit = async () => {
    const to = address.value.trim()
    if (!isSent.value) {
      if ((await ask.send({ body: { email: to } })) !== null) isSent.value = true
    } else if ((await confirm.send({ body: { email: to, code: code.value.trim() } })) !== null) await loadUser()
  }
  const again = () => {
    isSent.value = false
    code.value = ""
    confirm.forget()
  }
  const write = isSent.value ? confirm : ask
  const failure = useComputed(() => inWords((isSent.value ? confirm : ask).failure.value))
  return (
    <Form
      onSubmit={() => void submit()}
      failure={failure}
      busy={write.busy}
      blocked={undefined}
      submit={isSent.value ? say.signIn.confirm : say.signIn.send}
      fields={["email", "code"]}
    >
      {isSent.value ? (
        <>
          <p role="status">
            <span class="theirs">{say.signIn.sent(address.value)}</span>{" "}
            {outbox === null ? null : (
              <a href={outbox} target="_blank" rel="noreferrer">
                {say.signIn.outbox}
              </a>
            )}
          </p>
          <Field label={say.signIn.code} name="code">
            {(given) => (
              <input
                {...given}
                inputMode="numeric"
                autocomplete="one-time-code"
                ref={(input) => input?.focus()}
                value={code.value}
                onInput={(event) => (code.value = event.currentTarget.value)}
              />
            )}
          </Field>
          <div>
            <Button kind="quiet" onPress={again}>
              {say.signIn.other}
            </Button>
          </div>
        </>
      ) : (
        <>
          <TextField
            label={say.signIn.email}
            name="email"
            type="email"
            autocomplete="username webauthn"
            text={address}
          />
          {ask.failure.value?.status === 429 ? (
            <div>
              <Button kind="quiet" onPress={() => (isSent.value = true)}>
                {say.signIn.haveCode}
              </Button>
            </div>
          ) : null}
        </>
      )}
    </Form>
  )
}

/** The sign-in methods that the service offers, with the e-mail code first. */
function Ways({ email }: { readonly email: string }) {
  const ways = useQuery("GET /v1/dashboard/sign-in", () => ({}))
  const here = ways.answer.value
  if (here === null)
    return ways.failure.value === null ? (
      <p class="waiting">{say.loading}…</p>
    ) : (
      <Refusal failure={ways.failure.value} again={ways.refetch} />
    )
  return (
    <div class="ways">
      {here.email ? <WithCode email={email} outbox={here.outbox} /> : null}
      {here.email ? null : (
        <p>
          {say.signIn.noMail} <code>{byCommand}</code> <Copy text={byCommand} />
        </p>
      )}
      {here.passkey && canUsePasskeys() ? <WithPasskey /> : null}
      {here.oidc ? (
        <a class="button" href="/dashboard/oidc/start">
          {say.signIn.oidc}
        </a>
      ) : null}
    </div>
  )
}

export function SignInPage() {
  return (
    <main class="sign-in" id="content">
      <div class="card">
        <p class="brand">
          <span class="logo" aria-hidden="true">
            ✓
          </span>
          {say.name}
        </p>
        <h1>{say.signIn.title}</h1>
        {trouble.value === null ? null : (
          <p class="bad" role="alert">
            {trouble.value}
          </p>
        )}
        <Ways email="" />
      </div>
    </main>
  )
}

/** Signs in over the current screen, so that unsaved input there is kept. */
export function SignInDialog() {
  if (asked.value === null) return null
  return (
    <Dialog title={say.signIn.again} onClose={signInLater}>
      <p>{asked.value === "stale" ? say.signIn.stale : say.signIn.ended}</p>
      <Ways email={me.peek()?.agent.email ?? ""} />
      <div class="form-foot">
        <Button kind="quiet" onPress={signInLater}>
          {say.signIn.cancel}
        </Button>
      </div>
    </Dialog>
  )
}

/**
 * The token of a sign-in link that was opened while signed in. Following it needs confirmation, because its sender may
 * try to move the user to another merchant.
 */
const offered = signal<string | null>(null)

/** Asks before a link replaces the current session. */
export function LinkDialog() {
  const busy = useSignal(false)
  const [token, who] = [offered.value, me.value]
  if (token === null || who == null) return null
  const follow = async () => {
    busy.value = true
    await redeem(token)
    if (trouble.peek() === null) await loadUser()
    else tell(trouble.peek()!, { tone: "bad" })
    trouble.value = null
    busy.value = false
    offered.value = null
  }
  return (
    <Confirm
      title={say.signIn.link}
      confirm={say.signIn.useLink}
      busy={busy.value}
      onConfirm={() => void follow()}
      onClose={() => (offered.value = null)}
    >
      <p class="theirs">{say.signIn.linkHint(who.agent.email, who.merchant.name)}</p>
    </Confirm>
  )
}

/** Redeems a link: immediately when signed out, after confirmation when signed in. */
export const arriveByLink = async (token: string): Promise<void> => {
  if (await restoreSession()) offered.value = token
  else await redeem(token)
}

/** Redeems a sign-in link, which works once. Sets `trouble` when that fails. */
const redeem = async (token: string): Promise<void> => {
  const reply = await call("POST /v1/dashboard/sessions/redeem", { body: { token } })
  if (!reply.ok) trouble.value = reply.failure.status === 401 ? say.signIn.refused : reply.failure.message
}
