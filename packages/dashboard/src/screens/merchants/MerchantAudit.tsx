import type { Item } from "../../api/Api.ts"
import { Card } from "../../parts/Card.tsx"
import { Empty } from "../../parts/Loaded.tsx"
import { LongTable } from "../../parts/LongTable.tsx"
import { Time } from "../../parts/Time.tsx"
import { usePages } from "../../query/usePages.ts"
import { say as shared } from "../../words/say.ts"
import { actorOf, deedOf, fieldsOf } from "../audited.ts"
import { say } from "./words.ts"

type Entry = Item<"GET /v1/admin/merchants/:id/audit">

/** The first changed fields. The merchant's own audit log shows all of them. */
const changeOf = (entry: Entry): string => {
  const [first, ...others] = fieldsOf(entry)
  if (first === undefined) return "–"
  const more = others.length === 0 ? "" : ` +${others.length}`
  return `${first.label}: ${first.before === null ? "" : `${first.before} → `}${first.after ?? shared.none}${more}`
}

/** Audit log of a merchant, including actions of the operator. */
export function MerchantAudit({ id }: { readonly id: string }) {
  const pages = usePages("GET /v1/admin/merchants/:id/audit", () => ({ params: { id } }), {
    id: (entry: Entry) => entry.id,
    topics: ["merchant"]
  })
  return (
    <Card title={say.audit} class="merchant-audit">
      <LongTable
        caption={say.audit}
        pages={pages}
        id={(entry) => entry.id}
        empty={<Empty title={say.noAudit} />}
        columns={[
          { title: shared.when, cell: ({ at }) => <Time at={at} as="clock" /> },
          { title: say.who, drop: 1, cell: (entry) => <span class="theirs">{actorOf(entry)}</span> },
          { title: say.did, names: true, cell: ({ action }) => deedOf(action) },
          { title: say.changed, drop: 2, cell: (entry) => <span class="theirs">{changeOf(entry)}</span> },
          {
            title: say.environment,
            drop: 3,
            cell: ({ environment }) => (
              <span class="quiet">{environment === null ? "–" : shared.environment[environment]}</span>
            )
          }
        ]}
      />
    </Card>
  )
}
