import { signal, useSignal } from "@preact/signals"
import { useSend } from "../query/useSend.ts"
import { Dialog } from "../parts/Dialog.tsx"
import { Field, Form } from "../parts/Form.tsx"
import { say } from "../words/say.ts"
import { asked, lookWho, me, signInLater } from "./session.ts"

/** Said by the way back from an organisation's sign-in. */
const wasRefused = signal(location.hash === "#sign-in=refused")

/** E-mail and code, on a page of its own or over the screen that somebody was working in. */
function SignInForm({ email, onCancel }: { readonly email: string; readonly onCancel?: () => void }) {
  const address = useSignal(email)
  const code = useSignal("")
  const isSent = useSignal(false)
  const ask = useSend("POST /v1/dashboard/sessions")
  const confirm = useSend("POST /v1/dashboard/sessions/confirm")
  const submit = async () => {
    if (!isSent.value) {
      if ((await ask.send({ body: { email: address.value.trim() } })) !== null) isSent.value = true
    } else if ((await confirm.send({ body: { email: address.value.trim(), code: code.value.trim() } })) !== null)
      await lookWho()
  }
  const write = isSent.value ? confirm : ask
  return (
    <Form
      onSubmit={() => void submit()}
      failure={write.failure}
      busy={write.busy}
      blocked={undefined}
      submit={isSent.value ? say.signIn.confirm : say.signIn.send}
      fields={["email", "code"]}
      onCancel={onCancel}
    >
      <Field label={say.signIn.email} name="email">
        {(given) => (
          <input
            {...given}
            type="email"
            autocomplete="username"
            readOnly={isSent.value}
            value={address.value}
            onInput={(event) => (address.value = event.currentTarget.value)}
          />
        )}
      </Field>
      {isSent.value ? (
        <>
          <p role="status">{say.signIn.sent(address.value)}</p>
          <Field label={say.signIn.code} name="code">
            {(given) => (
              <input
                {...given}
                inputMode="numeric"
                autocomplete="one-time-code"
                value={code.value}
                onInput={(event) => (code.value = event.currentTarget.value)}
              />
            )}
          </Field>
        </>
      ) : null}
    </Form>
  )
}

/** The page of whoever is not signed in. */
export function SignInPage() {
  return (
    <main class="sign-in" id="content">
      <div class="card">
        <h1>{say.signIn.title}</h1>
        {wasRefused.value ? (
          <p class="bad" role="alert">
            {say.signIn.oidcRefused}
          </p>
        ) : null}
        <SignInForm email="" />
      </div>
    </main>
  )
}

/** Over the screen, so that nothing that was typed below is lost. */
export function SignInDialog() {
  if (asked.value === null) return null
  return (
    <Dialog title={say.signIn.again} onClose={signInLater}>
      <p>{asked.value === "stale" ? say.signIn.stale : say.signIn.ended}</p>
      <SignInForm email={me.peek()?.agent.email ?? ""} onCancel={signInLater} />
    </Dialog>
  )
}

/** A link's token is in the fragment, which no server sees; it leaves the address before anything else happens. */
export const tokenOfLink = (): string | null => {
  const token = /^#redeem=(.+)$/.exec(location.hash)?.[1] ?? null
  if (location.hash !== "") history.replaceState(null, "", `${location.pathname}${location.search}`)
  return token
}
