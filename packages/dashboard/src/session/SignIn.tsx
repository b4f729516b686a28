import { useComputed, useSignal } from "@preact/signals"
import { Button, Copy } from "../parts/Button.tsx"
import { Confirm, Dialog } from "../parts/Dialog.tsx"
import { Field, Form, TextField } from "../parts/Form.tsx"
import { Refusal } from "../parts/Loaded.tsx"
import { tell } from "../parts/Toast.tsx"
import { useQuery } from "../query/useQuery.ts"
import { useSend } from "../query/useSend.ts"
import { say } from "../words/say.ts"
import { canUsePasskeys } from "./passkey.ts"
import { signInNeeded, loadUser, me, signInLater } from "./session.ts"
import { pendingLinkToken, redeemLink, signInError } from "./signInLink.ts"
import { describeFailure, WithPasskey } from "./WithPasskey.tsx"

/** The command with which the operator creates a sign-in link when no mail server is configured. */
const signInLinkCommand = "countersign merchant sign-in-link"

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
