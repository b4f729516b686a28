import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { paths } from "../../address/here.ts"
import type { Verification } from "../../life/result.ts"
import { Button, Copy } from "../../parts/Button.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { country } from "../../words/format.ts"
import { say } from "./words.ts"

interface Props {
  readonly verification: Verification
  readonly pill: ComponentChildren
}

/** The identity, masked until an authorised user reveals it, which the audit log records. */
export function Person({ pill, verification }: Props) {
  const identity = useSignal<string | null>(null)
  const unmask = useSend("POST /v1/dashboard/verifications/:requestId/unmask", "audit")
  const show = async () => {
    const reply = await unmask.send({ params: { requestId: verification.requestId } })
    if (reply !== null) identity.value = reply.body.identity
  }
  const failure = unmask.failure.value
  return (
    <>
      <div class="ver-person">
        <h2 class="theirs">{identity.value ?? verification.identity}</h2>
        {pill}
        {verification.country === null ? null : <span class="quiet">{country(verification.country)}</span>}
        <span class="ver-deeds">
          {identity.value === null ? (
            <Button blocked={may.arrange} busy={unmask.busy.value} onPress={() => void show()}>
              {verification.identityType === "EMAIL" ? say.showAddress : say.showNumber}
            </Button>
          ) : (
            <>
              <Copy text={identity.value} label={verification.identity} />
              <Button onPress={() => (identity.value = null)}>{say.hideAgain}</Button>
            </>
          )}
          <a class="button" href={paths.person({ id: verification.person })}>
            {say.person}
          </a>
        </span>
      </div>
      {identity.value === null ? null : <p class="quiet">{say.auditNote}</p>}
      {failure === null ? null : <Refusal failure={failure} />}
    </>
  )
}
