import type { Failure } from "../api/Failure.ts"
import { Button } from "../parts/Button.tsx"
import { Refusal } from "../parts/Loaded.tsx"
import { useSend } from "../query/useSend.ts"
import { say } from "../words/say.ts"
import { answerWithPasskey } from "./passkey.ts"
import { loadUser } from "./session.ts"

/** The service answers 401 for every failed sign-in, so the message covers all causes. */
export const describeFailure = (failure: Failure | null, message401 = say.signIn.refused): Failure | null =>
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
