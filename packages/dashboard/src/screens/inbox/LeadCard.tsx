import type { ComponentChildren } from "preact"
import { paths } from "../../address/here.ts"
import { Button } from "../../parts/Button.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { Time } from "../../parts/Time.tsx"
import { usePages } from "../../query/usePages.ts"
import { useQuery } from "../../query/useQuery.ts"
import { may } from "../../session/may.ts"
import { moment } from "../../words/format.ts"
import type { Item } from "../../api/Api.ts"
import type { Lead } from "./conversation.ts"
import { called, numberOf, who } from "./names.ts"
import { say } from "./words.ts"

type Entry = Item<"GET /v1/dashboard/leads/:id/history">

/** A history entry as a sentence. */
const sentenceOf = ({ by, from, kind, to }: Entry): string => {
  const doer = by === null ? say.service : say.by(who(by))
  switch (kind) {
    case "CREATED":
      return by === null ? say.entry.created : `${say.entry.created}, ${doer}`
    case "ASSIGNED":
      if (to === null) return say.entry.unassigned(who(from), doer)
      return to === by ? say.entry.taken(who(by)) : say.entry.assigned(who(to), doer)
    case "TEAM":
      return to === null ? say.entry.noTeam(from ?? "", doer) : say.entry.team(to, doer)
    case "CLOSED":
      return say.entry.closed(doer)
    case "REOPENED":
      return say.entry.reopened(doer)
    case "ANSWERED":
      return say.entry.answered(doer)
    case "UNANSWERED":
      return say.entry.unanswered(doer)
    case "SNOOZED":
      return say.entry.snoozed(moment(new Date(to ?? "")), doer)
    case "UNSNOOZED":
      return say.entry.unsnoozed(doer)
    case "LABELLED":
      return say.entry.labelled(to ?? "", doer)
    case "UNLABELLED":
      return say.entry.unlabelled(from ?? "", doer)
  }
}

const Fact = ({ children, title }: { readonly title: string; readonly children: ComponentChildren }) => (
  <div>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </div>
)

/** The link to the customer's verifications. A customer who writes "I get no code" may be locked out. */
function Codes({ person }: { readonly person: string }) {
  const query = useQuery("GET /v1/dashboard/people/:person", () => ({ params: { person } }), "verification", "person")
  const isLocked = query.answer.value?.locks.some(({ lockedUntil }) => lockedUntil !== null) === true
  return (
    <>
      {isLocked ? <Pill tone="bad">{say.lockedOut}</Pill> : null}{" "}
      <a href={paths.person({ id: person })}>{say.openPerson}</a>
    </>
  )
}

/** Only http and https become links, because an ad's URL is third-party input. */
const webAddress = (text: string | null): string | null => {
  const url = text === null ? null : URL.parse(text)
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.href : null
}

interface Props {
  readonly lead: Lead
  readonly onAssign: () => void
}

/** Details of a lead: number, source, assignment and history. */
export function LeadCard({ lead, onAssign }: Props) {
  const history = usePages(
    "GET /v1/dashboard/leads/:id/history",
    () => ({ params: { id: lead.id }, query: { limit: 20 } }),
    { id: ({ at, kind, to }) => `${at} ${kind} ${to}`, topics: ["lead"] }
  )
  const ad = lead.referral
  const address = webAddress(ad?.sourceUrl ?? null)
  return (
    <div class="lead-card">
      <h3>{say.leadNumber(String(lead.id))}</h3>
      <p class="theirs lead-card-name" dir="auto">
        {called(lead)}
      </p>
      <dl class="lead-facts">
        <Fact title={say.number}>
          {/^\d/.test(lead.contact) || lead.contact.includes("*") || lead.contact.includes("•") ? (
            <bdi class="mono">{numberOf(lead.contact)}</bdi>
          ) : (
            say.hidesNumber
          )}
        </Fact>
        {lead.person === null ? null : (
          <Fact title={say.codes}>
            <Codes key={lead.person} person={lead.person} />
          </Fact>
        )}
        <Fact title={say.source}>{say.origins[lead.origin]}</Fact>
        {lead.campaignId === null ? null : (
          <Fact title={say.campaign}>
            <a href={paths.campaign({ id: lead.campaignId })}>{say.openCampaign}</a>
          </Fact>
        )}
        {ad === null ? null : (
          <Fact title={say.ad}>
            <span class="theirs" dir="auto">
              {ad.headline ?? ad.sourceId ?? ""}
            </span>{" "}
            {address === null ? null : (
              <a href={address} target="_blank" rel="noreferrer noopener">
                {say.openAd}
              </a>
            )}
          </Fact>
        )}
        <Fact title={say.team}>
          <span class="theirs">{lead.teamName ?? say.noTeam}</span>
        </Fact>
        <Fact title={say.owner}>
          <span class="theirs">{lead.assignedTo === null ? say.unassigned : who(lead.assignedTo)}</span>
        </Fact>
        <Fact title={say.since}>
          <Time at={lead.createdAt} />
        </Fact>
      </dl>
      <Button blocked={may.work} onPress={onAssign}>
        {say.reassign}
      </Button>
      <h3>{say.history}</h3>
      <ol role="list" class="lead-history">
        {history.items.value?.map((entry) => (
          <li key={`${entry.at} ${entry.kind} ${entry.to}`}>
            <span class="theirs">{sentenceOf(entry)}</span>{" "}
            <span class="quiet">
              <Time at={entry.at} />
            </span>
          </li>
        ))}
      </ol>
      {history.more.value ? (
        <Button kind="quiet" onPress={history.readOn}>
          {say.historyMore}
        </Button>
      ) : null}
    </div>
  )
}
