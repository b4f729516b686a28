import type { Verification } from "../../life/result.ts"
import { Button } from "../../parts/Button.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { moment } from "../../words/format.ts"
import { say } from "./words.ts"

/** Shows that the user is locked out, until when and why, and unlocks them. The number stays masked. */
export function Lock({ of: { requestId } }: { readonly of: Verification }) {
  const lock = useQuery(
    "GET /v1/dashboard/verifications/:requestId/lock",
    () => ({ params: { requestId } }),
    "verification"
  )
  const unlock = useSend("POST /v1/dashboard/verifications/:requestId/unlock", "verification", "audit")
  const { lockedUntil, wrongCodes } = lock.answer.value ?? { lockedUntil: null, wrongCodes: 0 }
  if (lockedUntil === null) return null
  const send = async () => {
    const done = await unlock.send({ params: { requestId } })
    if (done !== null) tell(done.body.unlocked ? say.unlocked : say.notLocked)
  }
  const failure = unlock.failure.value
  return (
    <>
      <div class="notice ver-lock" data-tone="bad" role="status">
        <p>{say.locked(moment(new Date(lockedUntil)), wrongCodes)}</p>
        <Button blocked={may.arrange} busy={unlock.busy.value} onPress={() => void send()}>
          {say.unlock}
        </Button>
      </div>
      {failure === null ? null : <Refusal failure={failure} />}
    </>
  )
}
