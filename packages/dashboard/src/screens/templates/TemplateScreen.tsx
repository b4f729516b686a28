import { param, paths } from "../../address/here.ts"
import { filtersOf } from "../../address/filters.ts"
import { useFilters } from "../../address/useFilters.ts"
import { Loaded } from "../../parts/Loaded.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { Screen } from "../../shell/Screen.tsx"
import { say as shared } from "../../words/say.ts"
import { TemplateEditor } from "./TemplateEditor.tsx"
import { begun, type Typed, typedOf } from "./template.ts"
import { useTemplates } from "./useTemplates.ts"
import { say } from "./words.ts"

const filters = filtersOf.template

/** One template. The id `new` creates one. */
export default function TemplateScreen() {
  const id = param("id")
  const isNew = id === "new"
  const wanted = useFilters(filters)
  const templates = useTemplates()
  const templateQuery = useQuery(
    "GET /v1/dashboard/templates/:id",
    () => (isNew ? null : { params: { id } }),
    "template"
  )
  const items = templates.items.value ?? []
  const first = (): Typed => {
    const { channel = "SMS", from, purpose = "CODE" } = wanted.value
    const copied = items.find((candidate) => candidate.id === from)
    return copied === undefined
      ? begun(channel, purpose)
      : { ...typedOf(copied), locale: "", dltTemplateId: "", dltText: "" }
  }
  return (
    <Screen
      title={shared.menu.templates}
      busy={isNew ? templates.busy : templateQuery.busy}
      note={<a href={paths.templates()}>{say.all}</a>}
    >
      {isNew ? (
        <Loaded query={{ ...templates, answer: templates.items }} empty={() => null}>
          {() => (
            <TemplateEditor stored={null} draftName={`new/${wanted.value.from ?? ""}`} first={first()} all={items} />
          )}
        </Loaded>
      ) : (
        <Loaded query={templateQuery} empty={() => null}>
          {(answer) => <TemplateEditor stored={answer} draftName={id} first={typedOf(answer)} all={items} />}
        </Loaded>
      )}
    </Screen>
  )
}
