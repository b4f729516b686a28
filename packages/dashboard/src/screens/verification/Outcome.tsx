import { paths } from "../../address/here.ts"
import type { Verification } from "../../life/result.ts"
import { Button } from "../../parts/Button.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { moment } from "../../words/format.ts"
import { type Headline, headlineOf, type Target } from "./headline.ts"
import { say } from "./words.ts"

const hrefOf = (target: Target): string =>
  target.screen === "settings" ? paths.settings({ find: target.find }) : paths[target.screen]()

const Advice = ({ advice, target }: Headline) =>
  target === null ? <>{advice}</> : <a href={hrefOf(target)}>{advice}</a>

/**
 * What happened to a verification without success, why, and the next step. For a user who is locked out, the next step
 * is to unlock them: until then, no new request can succeed. The number stays masked.
 */
export function Outcome({ of: verification }: { readonly of: Verification }) {
  const { requestId } = verification
  const lock = useQuery(
    "GET /v1/dashboard/verifications/:requestId/lock",
    // No wrong code can lock a relayed code: it is checked elsewhere.
    () => (verification.relayed === null ? { params: { requestId } } : null),
    "verification"
  )
  const unlock = useSend("POST /v1/dashboard/verifications/:requestId/unlock", "verification", "audit")
  const headline = headlineOf(verification)
  const { lockedUntil = null, reason = null, wrongCodes = 0 } = lock.answer.value ?? {}
  const locked =
    lockedUntil === null || reason === null ? null : say.locked[reason](moment(new Date(lockedUntil)), wrongCodes)
  if (headline === null && locked === null) return null
  const send = async () => {
    const done = await unlock.send({ params: { requestId } })
    if (done !== null) tell(done.body.unlocked ? say.unlocked : say.notLocked)
  }
  const failure = unlock.failure.value
  return (
    <>
      <div class="notice ver-outcome" data-tone="bad" role="status">
        <p>
          {headline === null ? null : (
            <>
              <strong>{headline.what}</strong>{" "}
              {headline.why.length === 0 ? null : <span class="theirs">{`${headline.why.join(" ")} `}</span>}
            </>
          )}
          {locked ?? (headline === null ? null : <Advice {...headline} />)}
        </p>
        {locked === null ? null : (
          <Button blocked={may.work} busy={unlock.busy.value} onPress={() => void send()}>
            {say.unlock}
          </Button>
        )}
      </div>
      {failure === null ? null : <Refusal failure={failure} />}
    </>
  )
}
