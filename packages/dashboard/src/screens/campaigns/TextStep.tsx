import { paths } from "../../address/here.ts"
import type { Answer } from "../../api/Api.ts"
import { Choice } from "../../parts/Choice.tsx"
import { Field, TextField } from "../../parts/Form.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import type { Query } from "../../query/useQuery.ts"
import { channelName } from "../../words/channels.ts"
import type { Plan } from "./plan.ts"
import { columnsOf, labelOf, usable } from "./templates.ts"
import { say } from "./words.ts"

interface Props {
  readonly plan: Plan
  readonly set: (changes: Partial<Plan>) => void
  readonly templates: Query<Answer<"GET /v1/dashboard/templates">>
}

/** Name, channel and template. */
export function TextStep({ plan, set, templates }: Props) {
  return (
    <div class="form">
      <TextField
        label={say.name}
        name="name"
        hint={say.nameHint}
        maxLength={100}
        dir="auto"
        value={plan.name}
        onType={(typed) => set({ name: typed })}
      />
      <Choice
        label={say.channel}
        value={plan.channel}
        onChoose={(channel) => set({ channel, template: "" })}
        options={[
          { value: "WHATSAPP", label: channelName("WHATSAPP") },
          { value: "SMS", label: channelName("SMS") }
        ]}
      />
      <Loaded
        query={templates}
        empty={({ items }) =>
          usable(items, plan.channel).length === 0 ? (
            <p>
              {say.noTemplates(channelName(plan.channel))} <a href={paths.templates()}>{say.writeOne}</a>
            </p>
          ) : null
        }
      >
        {({ items }) => {
          const chosen = items.find(({ id }) => id === plan.template)
          const columns = columnsOf(chosen?.body ?? null)
          return (
            <>
              <Field label={say.template} name="template">
                {(given) => (
                  <select
                    {...given}
                    value={plan.template}
                    onChange={(event) => set({ template: event.currentTarget.value })}
                  >
                    <option value="">{say.chooseTemplate}</option>
                    {usable(items, plan.channel).map((template) => (
                      <option key={template.id} value={template.id}>
                        {labelOf(template)}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              {chosen === undefined ? null : (
                <>
                  {chosen.body === null ? (
                    <p class="quiet">{say.onlyWhatsApp}</p>
                  ) : (
                    <p class="plan-words theirs" dir="auto">
                      {chosen.body}
                    </p>
                  )}
                  <p class="hint">{columns.length === 0 ? say.hasNoPlaces : say.hasPlaces(columns.join(", "))}</p>
                </>
              )}
            </>
          )
        }}
      </Loaded>
    </div>
  )
}
