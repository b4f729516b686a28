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
import { signInNeeded, restoreSession, loadUser, me, signInLater } from "./session.ts"

/** The error shown above the sign-in form, such as an invalid link or a failed organisation sign-in. */
export const signInError = signal<string | null>(null)

/** The command with which the operator creates a sign-in link when no mail server is configured. */
const signInLinkCommand = "countersign merchant sign-in-link"

/** The service answers 401 for every failed sign-in, so the message covers all causes. */
const describeFailure = (failure: Failure | null, message401 = say.signIn.refused): Failure | null =>
  failure?.status === 401 ? { ...failure, message: message401, requestId: null } : failure

export function WithPasskey({
  isMain = false,
  label = say.signIn.passkey
}: {
  readonly isMain?: boolean
  readonly label?: string
}) {
  const options = useSend("POST /v1/dashboard/sessions/passkey/options")
  const confirm = useSend("POST /v1/dashboard/sessions/passkey")
  const signIn = async () => {
    const passkeyOptions = await options.send({})
    const response = passkeyOptions === null ? null : await answerWithPasskey(passkeyOptions.body)
    if (response !== null && (await confirm.send({ body: { response } })) !== null) await loadUser()
  }
  const failure = describeFailure(options.failure.value ?? confirm.failure.value, say.signIn.passkeyRefused)
  return (
    <>
      <Button
        kind={isMain ? "main" : "plain"}
        onPress={() => void signIn()}
        busy={options.busy.value || confirm.busy.value}
      >
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
  const requestCode = useSend("POST /v1/dashboard/sessions")
  const confirm = useSend("POST /v1/dashboard/sessions/confirm")
  const submit = async () => {
    const typedEmail = address.value.trim()
    if (!isSent.value) {
      if ((await requestCode.send({ body: { email: typedEmail } })) !== null) isSent.value = true
    } else if ((await confirm.send({ body: { email: typedEmail, code: code.value.trim() } })) !== null) await loadUser()
  }
  const changeAddress = () => {
    isSent.value = false
    code.value = ""
    confirm.forget()
  }
  const activeRequest = isSent.value ? confirm : requestCode
  const failure = useComputed(() => describeFailure((isSent.value ? confirm : requestCode).failure.value))
  return (
    <Form
      onSubmit={() => void submit()}
      failure={failure}
      busy={activeRequest.busy}
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
            {(inputProps) => (
              <input
                {...inputProps}
                inputMode="numeric"
                autocomplete="one-time-code"
                ref={(input) => input?.focus()}
                value={code.value}
                onInput={(event) => (code.value = event.currentTarget.value)}
              />
            )}
          </Field>
          <div>
            <Button kind="quiet" onPress={changeAddress}>
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
          {requestCode.failure.value?.status === 429 ? (
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
function SignInMethods({ email, passkeyFirst = false }: { readonly email: string; readonly passkeyFirst?: boolean }) {
  const methodsQuery = useQuery("GET /v1/dashboard/sign-in", () => ({}))
  const methods = methodsQuery.answer.value
  if (methods === null)
    return methodsQuery.failure.value === null ? (
      <p class="waiting">{say.loading}…</p>
    ) : (
      <Refusal failure={methodsQuery.failure.value} again={methodsQuery.refetch} />
    )
  const passkey = methods.passkey && canUsePasskeys() ? <WithPasskey isMain={passkeyFirst} /> : null
  return (
    <div class="ways">
      {passkeyFirst ? passkey : null}
      {methods.email ? <WithCode email={email} outbox={methods.outbox} /> : null}
      {methods.email ? null : (
        <p>
          {say.signIn.noMail} <code>{signInLinkCommand}</code> <Copy text={signInLinkCommand} />
        </p>
      )}
      {passkeyFirst ? null : passkey}
      {methods.oidc ? (
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
        {signInError.value === null ? null : (
          <p class="bad" role="alert">
            {signInError.value}
          </p>
        )}
        <SignInMethods email="" />
      </div>
    </main>
  )
}

/** The methods for the current user: a passkey first, when they have one. */
function OwnMethods() {
  // An ended session cannot read its passkeys.
  const passkeys = useQuery("GET /v1/dashboard/passkeys", () =>
    signInNeeded.value === "stale" && canUsePasskeys() ? {} : null
  )
  const isKnown = passkeys.answer.value !== null || passkeys.failure.value !== null
  if (signInNeeded.value === "stale" && canUsePasskeys() && !isKnown) return <p class="waiting">{say.loading}…</p>
  return (
    <SignInMethods email={me.peek()?.agent.email ?? ""} passkeyFirst={(passkeys.answer.value?.items.length ?? 0) > 0} />
  )
}

/** Signs in over the current screen, so that unsaved input there is kept. */
export function SignInDialog() {
  if (signInNeeded.value === null) return null
  return (
    <Dialog title={say.signIn.again} onClose={signInLater}>
      <p>{signInNeeded.value === "stale" ? say.signIn.stale : say.signIn.ended}</p>
      <OwnMethods />
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
const pendingLinkToken = signal<string | null>(null)

/** Asks before a link replaces the current session. */
export function LinkDialog() {
  const busy = useSignal(false)
  const [token, user] = [pendingLinkToken.value, me.value]
  if (token === null || user == null) return null
  const follow = async () => {
    busy.value = true
    await redeemLink(token)
    if (signInError.peek() === null) await loadUser()
    else tell(signInError.peek()!, { tone: "bad" })
    signInError.value = null
    busy.value = false
    pendingLinkToken.value = null
  }
  return (
    <Confirm
      title={say.signIn.link}
      confirm={say.signIn.useLink}
      busy={busy.value}
      onConfirm={() => void follow()}
      onClose={() => (pendingLinkToken.value = null)}
    >
      <p class="theirs">{say.signIn.linkHint(user.agent.email, user.merchant.name)}</p>
    </Confirm>
  )
}

/** Redeems a link: immediately when signed out, after confirmation when signed in. */
export const openSignInLink = async (token: string): Promise<void> => {
  if (await restoreSession()) pendingLinkToken.value = token
  else await redeemLink(token)
}

/** Redeems a sign-in link, which works once. Sets `signInError` when that fails. */
const redeemLink = async (token: string): Promise<void> => {
  const reply = await call("POST /v1/dashboard/sessions/redeem", { body: { token } })
  if (!reply.ok) signInError.value = reply.failure.status === 401 ? say.signIn.refused : reply.failure.message
}
