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
  const all = useTemplates()
  const one = useQuery("GET /v1/dashboard/templates/:id", () => (isNew ? null : { params: { id } }), "template")
  const items = all.items.value ?? []
  const first = (): Typed => {
    const { channel = "SMS", from, purpose = "CODE" } = wanted.value
    const other = items.find((each) => each.id === from)
    return other === undefined
      ? begun(channel, purpose)
      : { ...typedOf(other), locale: "", dltTemplateId: "", dltText: "" }
  }
  return (
    <Screen
      title={shared.menu.templates}
      busy={isNew ? all.busy : one.busy}
      note={<a href={paths.templates()}>{say.all}</a>}
    >
      {isNew ? (
        <Loaded query={{ ...all, answer: all.items }} empty={() => null}>
          {() => (
            <TemplateEditor stored={null} draftName={`new/${wanted.value.from ?? ""}`} first={first()} all={items} />
          )}
        </Loaded>
      ) : (
        <Loaded query={one} empty={() => null}>
          {(answer) => <TemplateEditor stored={answer} draftName={id} first={typedOf(answer)} all={items} />}
        </Loaded>
      )}
    </Screen>
  )
}
