import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { environment, paths } from "../../address/here.ts"
import { LifeList } from "../../life/LifeList.tsx"
import { isAlive, resultOf, tookOf } from "../../life/result.ts"
import { SeenMessages } from "../../life/SeenMessages.tsx"
import { stepsOf } from "../../life/stepsOf.ts"
import { useLife } from "../../life/useLife.ts"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Field, Form, TextField } from "../../parts/Form.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { useChannels } from "../../query/useChannels.ts"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { tryIt } from "../../shell/tryIt.ts"
import { channelName, channelNames } from "../../words/channels.ts"
import { duration } from "../../words/format.ts"
import { say } from "./words.ts"

/** Channels for the typed identity. Incomplete input may still become a number. */
const channelsFor = (identity: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
  names.filter((name) => identity.includes("@") === (name === "EMAIL"))

/** A new step can remove the focused control. Then focus the first control of the new step. */
const useFirstControl = (step?: unknown) =>
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return
    document.querySelector<HTMLElement>("dialog[open] :is(input, .form-foot button)")?.focus()
  }, [step])

/** Recipient and channel. */
function Ask({ onSent }: { readonly onSent: (requestId: string) => void }) {
  const identity = useSignal(me.peek()?.agent.email ?? "")
  const channel = useSignal("")
  const start = useSend("POST /v1/dashboard/try", "verification")
  useFirstControl()
  useChannels()
  const possible = channelsFor(identity.value, channelNames())
  const submit = async () => {
    const chosen = possible.find((each) => each === channel.value)
    const reply = await start.send({
      body: { identity: identity.value.trim(), ...(chosen === undefined ? {} : { channel: chosen }) }
    })
    if (reply !== null) onSent(reply.body.requestId)
  }
  return (
    <Form
      onSubmit={() => void submit()}
      failure={start.failure}
      busy={start.busy}
      blocked={may.arrange ?? (identity.value.trim() === "" ? say.identityMissing : undefined)}
      submit={say.send}
      fields={["identity", "channel"]}
    >
      <p>{say.intro}</p>
      <p class={environment.value === "test" ? "quiet" : "warn"}>
        {environment.value === "test" ? say.inTest : say.live}
      </p>
      <TextField label={say.identity} name="identity" hint={say.identityHint} autocomplete="off" text={identity} />
      <Field label={say.channel} name="channel">
        {(inputProps) => (
          <select
            {...inputProps}
            value={channel.value}
            onChange={(event) => (channel.value = event.currentTarget.value)}
          >
            <option value="">{say.usual}</option>
            {possible.map((each) => (
              <option key={each} value={each}>
                {channelName(each)}
              </option>
            ))}
          </select>
        )}
      </Field>
    </Form>
  )
}

/** Code entry with the result. It shows no more than the attempts left. */
function Enter({ requestId }: { readonly requestId: string }) {
  const code = useSignal("")
  const attemptsLeft = useSignal<number | null>(null)
  const verify = useSend("POST /v1/dashboard/try/:requestId/verify", "verification")
  const signInMethods = useQuery("GET /v1/dashboard/sign-in", () => ({}))
  const outbox = environment.value === "test" ? null : (signInMethods.answer.value?.outbox ?? null)
  const submit = async () => {
    const reply = await verify.send({ params: { requestId }, body: { otp: code.value.trim() } })
    if (reply === null) return
    code.value = ""
    attemptsLeft.value = reply.body.verified ? null : reply.body.attemptsLeft
  }
  return (
    <Form
      onSubmit={() => void submit()}
      failure={verify.failure}
      busy={verify.busy}
      blocked={code.value.trim() === "" ? say.codeMissing : undefined}
      submit={say.check}
      fields={["otp"]}
    >
      <TextField
        label={say.code}
        name="otp"
        problem={attemptsLeft.value === null ? undefined : say.wrong(attemptsLeft.value)}
        hint={
          environment.value === "test" ? (
            say.codeHintTest
          ) : outbox === null ? undefined : (
            <a href={outbox} target="_blank" rel="noreferrer">
              {say.outbox}
            </a>
          )
        }
        class="try-code"
        inputMode="numeric"
        autocomplete="one-time-code"
        value={code.value}
        onType={(typed) => {
          code.value = typed
          attemptsLeft.value = null
        }}
      />
    </Form>
  )
}

/** One test verification with its live timeline. */
function Moving({ onAgain, requestId }: { readonly onAgain: () => void; readonly requestId: string }) {
  const life = useLife(() => requestId)
  const known = life.answer.value
  useFirstControl(known !== null && isAlive(known.verification))
  return (
    <Loaded query={life} empty={() => null}>
      {({ items, verification }) => {
        const { tone, words } = resultOf(verification)
        const took = tookOf(verification)
        return (
          <div class="try-moving">
            <p class="try-state" role="status">
              <strong class="theirs">{verification.identity}</strong> <Pill tone={tone}>{words}</Pill>{" "}
              {took === null ? null : say.verified(duration(took))}
            </p>
            {isAlive(verification) ? (
              <Enter requestId={requestId} />
            ) : took === null ? (
              <p class="quiet">{say.over}</p>
            ) : null}
            {environment.value === "test" && verification.deliveries.length > 0 ? (
              <section>
                <h3>{say.phone}</h3>
                <SeenMessages
                  key={verification.deliveries.length}
                  deliveries={verification.deliveries}
                  requestId={requestId}
                  withCode
                />
              </section>
            ) : null}
            <LifeList steps={stepsOf(verification, items)} />
            <div class="form-foot">
              <Button onPress={onAgain}>{say.another}</Button>
              <a
                class="button"
                data-kind="quiet"
                href={paths.verification({ requestId })}
                onClick={() => (tryIt.value = false)}
              >
                {say.whole}
              </a>
            </div>
          </div>
        )
      }}
    </Loaded>
  )
}

/** Sends a code to the user and shows its delivery. */
export default function TryItDialog() {
  const requestId = useSignal<string | null>(null)
  return (
    <Dialog title={say.title} onClose={() => (tryIt.value = false)}>
      {requestId.value === null ? (
        <Ask onSent={(id) => (requestId.value = id)} />
      ) : (
        <Moving key={requestId.value} requestId={requestId.value} onAgain={() => (requestId.value = null)} />
      )}
    </Dialog>
  )
}
