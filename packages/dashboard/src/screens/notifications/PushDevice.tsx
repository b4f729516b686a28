import { useSignal } from "@preact/signals"
import { Button } from "../../parts/Button.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Time } from "../../parts/Time.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { browserOf } from "../browserOf.ts"
import { canPush, ownDevice, type Problem, turnOff, turnOn } from "./push.ts"
import { say } from "./words.ts"

const wordsOf = (problem: Problem): string =>
  problem === "BLOCKED" ? say.refused : problem === "UNSUBSCRIBED" ? say.notSubscribed : problem.message

/** The user's devices with push notifications, and whether this browser is one. */
export function PushDevice() {
  const devices = useQuery("GET /v1/dashboard/me/devices", () => ({}), "person")
  const remove = useSend("DELETE /v1/dashboard/me/devices/:id", "person")
  const isBusy = useSignal(false)
  const problem = useSignal<string | null>(null)
  const change = async (wanted: boolean) => {
    if (isBusy.peek()) return
    isBusy.value = true
    const failure = await (wanted ? turnOn() : turnOff())
    problem.value = failure === null ? null : wordsOf(failure)
    isBusy.value = false
    devices.refetch()
  }
  const wrong = problem.value ?? remove.failure.value?.message ?? null
  return (
    <fieldset class="form">
      <legend>{say.push}</legend>
      <Loaded query={devices} empty={() => null}>
        {({ items, refusal }) => {
          const isOn = items.some(({ id }) => id === ownDevice())
          const others = items.filter(({ id }) => id !== ownDevice())
          return (
            <>
              {refusal !== null || !canPush ? (
                <p class="hint">{refusal === null ? say.cannotPush : say.noPush[refusal]}</p>
              ) : (
                <>
                  <label class="check">
                    <input
                      type="checkbox"
                      checked={isOn}
                      aria-busy={isBusy.value}
                      onChange={(event) => {
                        const { checked } = event.currentTarget
                        event.currentTarget.checked = isOn // until the browser has asked
                        void change(checked)
                      }}
                    />{" "}
                    {say.pushThis}
                  </label>
                  <p class="hint">{say.pushHint}</p>
                </>
              )}
              {others.length === 0 ? null : (
                <div class="field">
                  <strong id="other-devices">{say.otherDevices}</strong>
                  <ul role="list" aria-labelledby="other-devices">
                    {others.map(({ id, lastSeenAt, userAgent }) => (
                      <li key={id}>
                        <span class="theirs" title={userAgent ?? undefined}>
                          {browserOf(userAgent)}
                        </span>{" "}
                        <span class="quiet">
                          · {say.lastOpened} <Time at={lastSeenAt} />
                        </span>{" "}
                        <Button
                          kind="quiet"
                          busy={remove.busy.value}
                          onPress={() => void remove.send({ params: { id } })}
                        >
                          {say.removeDevice}
                        </Button>
                      </li>
                    ))}
                  </ul>
                </div>
              )}
            </>
          )
        }}
      </Loaded>
      {wrong === null ? null : (
        <p class="wrong" role="alert">
          {wrong}
        </p>
      )}
    </fieldset>
  )
}
