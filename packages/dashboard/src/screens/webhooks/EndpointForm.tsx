import type { ReadonlySignal, Signal } from "@preact/signals"
import type { Failure } from "../../api/Failure.ts"
import { Choice } from "../../parts/Choice.tsx"
import { Form, TextField } from "../../parts/Form.tsx"
import { may } from "../../session/may.ts"
import { type Asked, type Endpoint, eventGroups, eventNames } from "./health.ts"
import { say } from "./words.ts"

/** An edited endpoint. `events` null subscribes to all events. */
export interface Fields {
  readonly url: string
  readonly description: string
  readonly events: ReadonlyArray<string> | null
}

export const fieldsOf = (endpoint: Endpoint | null): Fields => ({
  url: endpoint?.url ?? "",
  description: endpoint?.description ?? "",
  events: endpoint?.events ?? null
})

/** The request body: empty text becomes null, and event types have a fixed order. */
export const bodyOf = ({ description, events, url }: Fields) => ({
  url: url.trim(),
  description: description.trim() === "" ? null : description.trim(),
  events: events === null ? null : eventNames.filter((name) => events.includes(name))
})

interface Props {
  readonly value: Signal<Fields>
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  readonly submit: string
  readonly onSubmit: () => void
  readonly onCancel: () => void
}

export function EndpointForm({ busy, failure, onCancel, onSubmit, submit, value }: Props) {
  const { description, events, url } = value.value
  const put = (next: Partial<Fields>) => (value.value = { ...value.peek(), ...next })
  const toggle = (name: Asked) =>
    put({ events: events?.includes(name) ? events.filter((each) => each !== name) : [...(events ?? []), name] })
  return (
    <Form
      onSubmit={onSubmit}
      failure={failure}
      busy={busy}
      blocked={may.arrange ?? (events?.length === 0 ? say.noType : undefined)}
      submit={submit}
      fields={["url", "events", "description"]}
      onCancel={onCancel}
    >
      <TextField
        label={say.url}
        name="url"
        hint={say.urlHint}
        type="url"
        autocomplete="off"
        placeholder="https://example.com/webhooks"
        value={url}
        onType={(typed) => put({ url: typed })}
      />
      <TextField
        label={say.description}
        name="description"
        hint={say.descriptionHint}
        maxLength={200}
        value={description}
        onType={(typed) => put({ description: typed })}
      />
      <Choice
        label={say.events}
        value={events === null ? "all" : "some"}
        onChoose={(next) => put({ events: next === "all" ? null : ["otp.verified"] })}
        options={[
          { value: "all", label: say.all },
          { value: "some", label: say.some }
        ]}
      />
      {events === null
        ? null
        : (Object.keys(eventGroups) as ReadonlyArray<keyof typeof eventGroups>).map((group) => (
            <fieldset key={group} class="checks">
              <legend>{say.groups[group]}</legend>
              {eventGroups[group].map((name) => (
                <label key={name}>
                  <input type="checkbox" checked={events.includes(name)} onChange={() => toggle(name)} />
                  <span>
                    <code>{name}</code> <span class="quiet">{say.eventHints[name]}</span>
                  </span>
                </label>
              ))}
            </fieldset>
          ))}
    </Form>
  )
}
