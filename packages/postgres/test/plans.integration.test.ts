import { LeadStore, VerificationStore } from "@countersign/core/storage"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { commit as commitOf, whole as commit } from "../src/commitStatement.ts"
import { statements as attributionStatements } from "../src/attributionParts.ts"
import * as Attribution from "../src/PgAttributionStore.ts"
import * as Maintenance from "../src/Maintenance.ts"
import * as Audit from "../src/PgAuditStore.ts"
import { commit as erasureCommit } from "../src/erasureStatement.ts"
import * as Balances from "../src/PgBalanceStore.ts"
import * as Erasures from "../src/PgErasureStore.ts"
import { add as addRecipients, statements as campaignStatements } from "../src/campaignParts.ts"
import * as Campaigns from "../src/campaignQueries.ts"
import * as Facts from "../src/PgFactStore.ts"
import { statements as leadStatements } from "../src/leadParts.ts"
import * as Labels from "../src/PgLabelStore.ts"
import * as LeadQueries from "../src/leadQueries.ts"
import * as Events from "../src/PgEventStore.ts"
import * as Jobs from "../src/PgJobStore.ts"
import * as Leads from "../src/PgLeadStore.ts"
import * as Numbers from "../src/PgNumberStore.ts"
import * as OptOuts from "../src/PgOptOutStore.ts"
import * as SenderIds from "../src/PgSenderIdStore.ts"
import * as Templates from "../src/PgTemplateStore.ts"
import * as Outbox from "../src/PgOutboxStore.ts"
import { statements as staffStatements } from "../src/staffParts.ts"
import * as Passkeys from "../src/PgPasskeyStore.ts"
import * as Staff from "../src/PgStaffStore.ts"
import * as Subjects from "../src/PgSubjectStore.ts"
import * as Statistics from "../src/PgStatStore.ts"
import * as Verifications from "../src/PgVerificationStore.ts"
import * as Refusals from "../src/PgRefusalStore.ts"
import * as Search from "../src/verificationSearch.ts"
import * as Webhooks from "../src/PgWebhookStore.ts"
import * as Processes from "../src/Processes.ts"
import { settings } from "../src/settings.ts"
import { statements as written } from "./statements.ts"
import { storage, TestDatabase } from "./TestDatabase.ts"

interface Expected {
  readonly statement: string
  /** Parameters for plans that would otherwise leave out parts that cannot match a row. */
  readonly values?: ReadonlyArray<string>
  readonly uses: RegExp
  /** Forbidden for this plan, in addition to a scan of a whole table. */
  readonly never?: RegExp
}

/** The indexes of lists. A statement with a key must not use them. */
const ofLists = /lead_list|lead_of_/

const inEnvironment = { environment: "e" }
const waitingInEnvironment = { ...inEnvironment, until: 0 }

const statements: { readonly [name: string]: Expected } = {
  // These end or change jobs by key.
  commit: { statement: commit.whole, uses: /job_pkey/, never: /job_due|job_of_gate/ },
  "commit that only ends a job": {
    statement: commit.text(["done"]),
    uses: /job_pkey/,
    never: /job_due|job_of_gate/
  },
  "commit with an event and a job": { statement: commit.text(["recorded", "added"]), uses: /subject_pkey/ },
  "commit for known people": { statement: commitOf(["known"]).text(["recorded", "done"]), uses: /subject_pkey/ },
  "commit for new people": {
    statement: commitOf(["fresh"]).text(["recorded", "added"]),
    uses: /Arbiter Indexes: subject_pkey/
  },
  complete: { statement: Jobs.complete, uses: /job_pkey/, never: /job_due|job_of_gate/ },
  giveUp: { statement: Jobs.giveUp, uses: /job_pkey/, never: /job_due|job_of_gate/ },
  cancel: { statement: Jobs.cancel, uses: /job_pkey/, never: /job_due|job_of_gate/ },
  append: { statement: Outbox.append.whole, uses: /job_pkey/, never: /job_due|job_of_gate/ },
  "save of an endpoint": { statement: Webhooks.commit.whole, uses: /job_pkey/, never: /job_due|job_of_gate/ },
  record: { statement: Webhooks.record.whole, uses: /job_pkey/, never: /job_due|job_of_gate/ },
  // These find due rows, each by its own index.
  claim: { statement: Jobs.claim, uses: /job_due/, never: /job_of_gate|Sort Key: job/ },
  claimGates: { statement: Jobs.claimGates, uses: /job_due[\s\S]*job_of_gate/ },
  releaseJobs: { statement: Processes.releaseJobs, uses: /job_due/, never: /job_of_gate/ },
  releaseGates: { statement: Processes.releaseGates, uses: /job_due|job_of_gate/ },
  hasten: { statement: Jobs.hasten, uses: /job_of_gate/, never: /job_due/ },
  hastenKey: { statement: Jobs.hastenKey, uses: /job_pkey/, never: /job_due|job_of_gate/ },
  inLane: { statement: Jobs.inLane, uses: /job_of_gate/, never: /job_due/ },
  nextRunAt: { statement: Jobs.nextRunAt, uses: /job_due/, never: /job_of_gate|Sort/ },
  overdue: { statement: Jobs.overdue, uses: /job_due/ },
  gatesDue: { statement: Jobs.gatesDue, uses: /Index Only Scan using job_due/ },
  waiting: { statement: Jobs.waiting, uses: /job_of_gate/, never: /job_due/ },
  releaseRequests: { statement: Processes.releaseRequests, uses: /idempotency_age/ },
  expired: { statement: Verifications.expiredFrom, uses: /verification_\w*expires_at_id_idx/, never: /Sort\b(?! Key)/ },
  "the verifications of a time": {
    statement: Verifications.between,
    values: ["'e'", "'ver_'", "'ver_~'", "10"],
    uses: /verification_\w*pkey/,
    never: /Sort\b(?! Key)/
  },
  "all verifications of a person": {
    statement: Verifications.ofPerson,
    values: ["'e'", "'91'", "'ver_'", "10"],
    uses: /verification_\w*canonical_environment_id_idx|verification_\w*person/,
    never: /Sort\b(?! Key)/
  },
  refusals: { statement: Refusals.list(false), uses: /refusal_pkey/, never: /Sort\b(?! Key)/ },
  "refusals of a reason": {
    statement: Refusals.list(true),
    uses: /refusal_of_reason/,
    never: /Sort\b(?! Key)/
  },
  "refusals of a person": {
    statement: Refusals.ofPerson,
    values: ["'e'", "'rfs_~'", "'rfs_'", "10", "array['per_1']", "null"],
    uses: /refusal_of_person/,
    never: /refusal_pkey/
  },
  "references of an erased person in refusals": {
    statement: Refusals.forget,
    values: ["'e'", "array['per_1']"],
    uses: /refusal_of_person/
  },
  "the last four digits of a number": {
    statement: Verifications.endingWith,
    values: ["'e'", "'3210'", "'ver_'", "10"],
    uses: /subject_ending[\s\S]*verification_\w*canonical_environment_id_idx/
  },
  // These read the log of one endpoint.
  attempted: { statement: Webhooks.attempted, uses: /webhook_attempt_\w+_webhook_id_event_id_idx/ },
  "events by their tries": {
    statement: Webhooks.triedEvents(false, true),
    values: ["'e'", "'whk_1'", "10", "'evt_5'"],
    uses: /webhook_attempt_\w+_webhook_id_event_id_idx/,
    never: /HashAggregate/
  },
  "events that were missed": {
    statement: Webhooks.triedEvents(true, true),
    values: ["'e'", "'whk_1'", "10", "'evt_5'"],
    uses: /webhook_attempt_\w+_webhook_id_event_id_idx1/,
    never: /HashAggregate/
  },
  "attempts of events": { statement: Webhooks.attemptsOf, uses: /webhook_attempt_\w+_webhook_id_event_id_idx/ },
  attempt: { statement: Webhooks.attemptOf, uses: /webhook_attempt_\w+_pkey/ },
  attempts: {
    statement: Webhooks.attempts(null, false),
    uses: /webhook_attempt_\w+_webhook_id_id_idx/,
    never: /Sort\b(?! Key)/
  },
  "attempts, next page": {
    statement: Webhooks.attempts(null, true),
    values: ["'e'", "'whk_1'", "10", "'dlv_5'"],
    uses: /webhook_attempt_\w+_webhook_id_id_idx/,
    never: /Sort\b(?! Key)/
  },
  "attempts that failed": {
    statement: Webhooks.attempts("FAILED", true),
    values: ["'e'", "'whk_1'", "10", "'dlv_5'"],
    uses: /webhook_attempt_\w+_webhook_id_status_id_idx/,
    never: /Sort\b(?! Key)/
  },
  endpoints: { statement: Webhooks.list, uses: /webhook_pkey/ },
  "sums by key": { statement: Statistics.bucketsAt, uses: /stat_bucket_pkey/, never: /stat_bucket_age/ },
  "sums and facts of a time range": {
    statement: Statistics.read,
    uses: /stat_bucket_pkey[\s\S]*fact_pkey/,
    never: /stat_bucket_age/
  },
  "commit of sums": { statement: Statistics.commit.whole, uses: /stat_head_pkey/ },
  "commit of a balance": { statement: Balances.commit.whole, uses: /balance_pkey[\s\S]*spending_pkey/ },
  funds: { statement: Balances.funds, uses: /balance_pkey[\s\S]*spending_pkey/, never: /spending_age/ },
  ledger: { statement: Balances.ledger(false), uses: /ledger_pkey/, never: /Sort\b(?! Key)/ },
  "ledger, next page": {
    statement: Balances.ledger(true),
    values: ["'e'", "10", "7"],
    uses: /ledger_pkey/,
    never: /Sort\b(?! Key)/
  },
  "top-up of a reference": { statement: Balances.topUp, values: ["'e'", "'r'"], uses: /ledger_top_up/ },
  purgeSpending: { statement: Maintenance.purgeSpending, uses: /spending_age/ },
  "facts of one environment": { statement: Facts.list(false), uses: /fact_pkey/, never: /Sort\b(?! Key)/ },
  "facts, next page": {
    statement: Facts.list(true),
    values: ["'poked'", "'e'", "10", "now()", "'k'"],
    uses: /fact_pkey/,
    never: /Sort\b(?! Key)/
  },
  "environments with facts": { statement: Facts.environments, uses: /fact_pkey/, never: /Sort\b(?! Key)/ },
  "commit that folds facts": { statement: commit.text(["folded"]), uses: /fact_pkey/ },
  event: { statement: Events.get, uses: /event_\w+_pkey/ },
  // Conversations.
  "commit of leads": { statement: leadStatements.whole.whole, uses: /lead_pkey/, never: ofLists },
  "a lead and its messages": {
    statement: leadStatements.commit(["leads", "messages"]).text(["done", "recorded"]),
    uses: /lead_message_once/,
    never: ofLists
  },
  "commit of a campaign": {
    statement: campaignStatements.whole.whole,
    uses: /recipient_pkey/,
    never: /recipient_open|recipient_of_person|recipient_at_provider/
  },
  "recipients that are added": { statement: addRecipients, uses: /Insert on recipient/ },
  campaign: { statement: Campaigns.get, uses: /campaign_pkey/ },
  campaigns: { statement: Campaigns.list(true), uses: /campaign_pkey/, never: /Sort\b(?! Key)/ },
  "campaign of a request": { statement: Campaigns.made, uses: /campaign_once/ },
  recipient: { statement: Campaigns.recipient, uses: /recipient_pkey/ },
  recipients: { statement: Campaigns.recipients(true), uses: /recipient_pkey/, never: /Sort\b(?! Key)/ },
  "open recipients": { statement: Campaigns.open, uses: /recipient_open/, never: /Sort\b(?! Key)/ },
  progress: { statement: Campaigns.progress, uses: /recipient_count_pkey/, never: /recipient_pkey/ },
  "room for campaigns": {
    statement: Campaigns.room,
    uses: /campaign_pkey[\s\S]*recipient_count_pkey|recipient_count_pkey[\s\S]*campaign_pkey/
  },
  "whether a later message was delivered": { statement: Campaigns.isHeardOf, uses: /recipient_pkey/ },
  "recipients by phone number": {
    statement: Campaigns.ofPerson,
    uses: /recipient_of_person/,
    never: /Sort\b(?! Key)/
  },
  "campaigns of messages": { statement: Campaigns.campaignsOf, uses: /recipient_at_provider/ },
  "campaigns to count": {
    statement: Campaigns.uncounted,
    uses: /campaign_finished/,
    never: /Sort\b(?! Key)/
  },
  "recipients to delete": { statement: Campaigns.forget, uses: /recipient_pkey[\s\S]*campaign_pkey/ },
  "opt-outs of numbers": { statement: OptOuts.known, uses: /opt_out_pkey/, never: /opt_out_list/ },
  "opt-outs": { statement: OptOuts.list, uses: /opt_out_list/, never: /Sort\b(?! Key)/ },
  "commit of an opt-out": { statement: OptOuts.commit.whole, uses: /opt_out_pkey/, never: /opt_out_list/ },
  lead: { statement: Leads.getLead, uses: /lead_pkey/ },
  message: { statement: Leads.getMessage, uses: /lead_message_pkey/ },
  known: { statement: Leads.known, uses: /lead_phone/ },
  "customer by the provider's id": { statement: Leads.known, uses: /lead_user/ },
  "messages that exist": { statement: Leads.known, uses: /lead_message_once/ },
  staff: { statement: Staff.staff, uses: /agent_pkey|agent_merchant_id/ },
  messages: {
    statement: Leads.messages(true),
    values: ["'e'", "1", "10", "now()", "'msg_1'"],
    uses: /lead_message_talk/,
    never: /Sort\b/
  },
  "latest messages": {
    statement: Leads.latest,
    uses: /lead_message_talk[\s\S]*lead_message_amends/,
    never: /Sort Key: lead_message\.at DESC, lead_message\.id/
  },
  amendments: { statement: Leads.amendments, uses: /lead_message_amends/ },
  history: {
    statement: Leads.history(true),
    values: ["'e'", "1", "10", "5"],
    uses: /lead_entry_pkey/,
    never: /Sort\b/
  },
  "open leads": { statement: LeadQueries.openLeads, uses: /lead_of_owner/ },
  "waiting leads": {
    statement: LeadQueries.waiting(waitingInEnvironment, false),
    values: ["'e'", "10", "now()", "now()", "5"],
    uses: /lead_waiting/,
    never: /lead_list|lead_of_|Sort\b(?! Key)/
  },
  "waiting leads of an agent in a team": {
    statement: LeadQueries.waiting({ ...waitingInEnvironment, assignedTo: 1, teamId: 1 }, true),
    values: ["'e'", "10", "now()", "1", "1"],
    uses: /lead_waiting/,
    never: /lead_list|lead_of_|Sort\b(?! Key)/
  },
  "number of waiting leads": {
    statement: LeadQueries.countWaiting,
    values: ["'e'", "1001", "now()"],
    uses: /Index Only Scan using lead_waiting/,
    never: /lead_list|lead_of_/
  },
  "what an agent has read": { statement: Leads.reads, uses: /lead_read_pkey|lead_read_of_lead/ },
  "leads with a label": {
    statement: LeadQueries.after({ ...inEnvironment, label: "lbl_1" }, true),
    uses: /lead_labelled/,
    never: /lead_list|lead_of_/
  },
  "labels of a merchant": { statement: Labels.list, uses: /lead_label_pkey/ },
  "leads that changed a moment ago": { statement: Leads.changes, uses: /lead_change_pkey[\s\S]*lead_waiting/ },
  "forgetting what an agent has read": { statement: Leads.forgetReads, uses: /lead_read_pkey/ },
  "leads of an agent": {
    statement: LeadQueries.ownedBy,
    uses: /lead_of_owner/,
    never: /lead_list|lead_of_team|lead_of_both/
  },
  "search by number": {
    statement: LeadQueries.searchByPhoneEnd,
    values: ["'e'", "'1'", "10"],
    uses: /lead_phone/,
    never: ofLists
  },
  "search by a name": {
    statement: LeadQueries.searchByWord,
    values: ["'e'", "'{asha}'", "10", "80"],
    uses: /lead_word_pkey/,
    never: ofLists
  },
  "search by names": { statement: LeadQueries.searchByWords, uses: /lead_word_pkey/, never: ofLists },
  // Attribution.
  "commit of attribution": {
    statement: attributionStatements.whole.whole,
    uses: /touch_of_launch/,
    never: /launch_by_time|launch_of_|touch_by_time/
  },
  launch: { statement: Attribution.getLaunch, uses: /launch_pkey/ },
  trail: { statement: Attribution.getTrail, uses: /trail_pkey/ },
  conversion: { statement: Attribution.getConversion, uses: /touch_pkey/ },
  "earliest of a visitor": { statement: Attribution.earliest("visitor"), uses: /launch_of_visitor/, never: /Sort\b/ },
  "earliest of a click": { statement: Attribution.earliest("click"), uses: /launch_of_click/, never: /Sort\b/ },
  "old launches": { statement: Attribution.old, values: ["now()", "10"], uses: /launch_by_time/ },
  "old touches": { statement: Attribution.purge, values: ["now()", "10"], uses: /touch_by_time/ },
  "sums by the last touch": {
    statement: Attribution.sums("last", false),
    values: ["'e'", "now()", "now()", "'{now}'", "10"],
    uses: /Index Only Scan using launch_by_time/
  },
  "sums by the first touch, next page": {
    statement: Attribution.sums("first", true),
    values: ["'e'", "now()", "now()", "'{now}'", "10", "0", "''", "''", "''"],
    uses: /trail_pkey/,
    never: /launch_of_|launch_pkey|touch_pkey/
  },
  // Erasure and retention.
  "erasures since an instant": { statement: Erasures.since, uses: /erasure_pkey/ },
  "step of an erasure": { statement: erasureCommit.whole, uses: /verification_\w*pkey/, never: ofLists },
  "reactions and edits, of a lead or without one": {
    statement: Erasures.amending,
    values: ["'e'", "''", "10", "1"],
    uses: /lead_message_amending/,
    never: /Sort\b/
  },
  "stored responses, next page": {
    statement: Erasures.answers(true),
    values: ["'e'", "10", "'POST /'", "'k'"],
    uses: /idempotency_pkey/,
    never: /Sort\b/
  },
  "old verifications": {
    statement: Erasures.old,
    values: ["'e'", "''", "'ver_1'", "10"],
    uses: /verification_\w*pkey/
  },
  "old events": { statement: Erasures.forgetEvents, values: ["'e'", "'evt_1'", "10"], uses: /event_\w*pkey/ },
  "people without a verification": {
    statement: Erasures.people,
    values: ["'e'", "''", "10"],
    uses: /canonical_environment_id_idx/
  },
  "connected numbers": { statement: Numbers.list, uses: /connected_number_of_environment/ },
  "connected number": { statement: Numbers.get, uses: /connected_number_pkey/ },
  // The audit log.
  "audit, all": { statement: Audit.list([], false), values: ["'m'", "51"], uses: /audit_pkey/, never: /Sort/ },
  "audit, next page of a month": {
    statement: Audit.list(["environments", "from", "to"], true),
    values: ["'m'", "51", "'{e,\"\"}'", "'aud_1'", "'aud_2'", "'aud_15'"],
    uses: /audit_pkey/,
    never: /Sort/
  },
  "audit, one action": {
    statement: Audit.list(["environments", "action"], false),
    values: ["'m'", "51", "'{e,\"\"}'", "'key.rolled'"],
    uses: /audit_of_action/,
    never: /Sort/
  },
  "audit, of an actor": {
    statement: Audit.list(["actor"], true),
    values: ["'m'", "51", "'7'", "'aud_5'"],
    uses: /audit_of_actor/,
    never: /Sort/
  },
  "history of settings": {
    statement: Audit.list(["environments", "action", "targetId"], false),
    values: ["'m'", "51", "'{e}'", "'settings.changed'", "'live'"],
    uses: /audit_of_(target|action)/,
    never: /Sort/
  },
  "old audit": { statement: Maintenance.purgeAudit, values: ["now()", "10"], uses: /audit_age/ },
  session: { statement: Staff.session, uses: /session_hash_key[\s\S]*agent_pkey/, never: /session_of_agent/ },
  "sessions of an agent": { statement: Staff.sessions, uses: /session_of_agent/, never: /Sort\b/ },
  "a link by its hash": { statement: Staff.link, uses: /sign_in_link_hash_key/ },
  "the link of an agent": { statement: Staff.linkOfAgent, uses: /sign_in_link_pkey/ },
  "memberships of an address": { statement: Staff.memberships, uses: /agent_of_address/ },
  "an agent at a merchant": { statement: Staff.membership, uses: /agent_pkey/ },
  "last use of a session": { statement: Staff.used, uses: /session_pkey/ },
  "commit of team members": {
    statement: staffStatements.whole.whole,
    uses: /agent_pkey[\s\S]*sign_in_link_pkey[\s\S]*session_pkey/,
    never: /session_of_agent|agent_of_address/
  },
  templates: { statement: Templates.heads, uses: /template_pkey/ },
  "templates with their content": { statement: Templates.list, uses: /template_pkey/ },
  "a template": { statement: Templates.get, uses: /template_pkey/ },
  "content of a template": { statement: Templates.content, uses: /template_content_pkey/ },
  "templates by WhatsApp name": { statement: Templates.atProvider, uses: /template_at_whatsapp/ },
  "save of a template": { statement: Templates.commit.whole, uses: /template_pkey/ },
  "sender ids": { statement: SenderIds.list, uses: /sender_id_pkey/ },
  "old content of templates": {
    statement: Maintenance.purgeContents,
    values: ["now()", "10"],
    uses: /template_content_retired/
  },
  "old templates": { statement: Maintenance.purgeTemplates, values: ["now()", "10"], uses: /template_removed/ },
  passkey: { statement: Passkeys.get, uses: /passkey_pkey/ },
  "passkeys of a person": { statement: Passkeys.list, uses: /passkey_of_person/, never: /Sort\b(?! Key)/ },
  "subject of a provider": { statement: Subjects.get, uses: /known_subject_pkey/ },
  "subjects with an address": { statement: Subjects.list, uses: /known_subject_address_pkey/ }
}

/** A plan may sort the rows that a scan found, but never a table to find them. */
const sortsTable = /Sort[^\n]*\n[^\n]*Sort Key[^\n]*\n\s*->\s+Index/

/** Each list scans one index, in its order, for every filter. */
const lists: { readonly [name: string]: Expected } = Object.fromEntries(
  (
    [
      ["all", {}, ["'e'"], /lead_list/, /lead_of/],
      ["open", { status: "OPEN" }, ["'e'"], /lead_list/, /lead_of/],
      ["of an agent", { assignedTo: 1 }, ["'e'", "1"], /lead_of_owner/, /lead_list|lead_of_team|lead_of_both/],
      [
        "closed, of an agent",
        { assignedTo: 1, status: "CLOSED" },
        ["'e'", "1"],
        /lead_of_owner/,
        /lead_list|lead_of_team|lead_of_both/
      ],
      ["unassigned", { assignedTo: null }, ["'e'"], /lead_of_owner/, /lead_list|lead_of_team|lead_of_both/],
      ["of a team", { teamId: 1 }, ["'e'", "1"], /lead_of_team/, /lead_list|lead_of_owner|lead_of_both/],
      [
        "of a team, open",
        { teamId: 1, status: "OPEN" },
        ["'e'", "1"],
        /lead_of_team/,
        /lead_list|lead_of_owner|lead_of_both/
      ],
      [
        "of a team, unassigned",
        { teamId: 1, assignedTo: null },
        ["'e'", "1"],
        /lead_of_team/,
        /lead_list|lead_of_owner|lead_of_both/
      ],
      [
        "of a team, of an agent",
        { teamId: 1, assignedTo: 1 },
        ["'e'", "1", "1"],
        /lead_of_both/,
        /lead_list|lead_of_team|lead_of_owner/
      ],
      ["with a number", { phone: "91" }, ["'e'", "'91'"], /lead_phone/, ofLists]
    ] as const
  ).flatMap(([name, filter, values, uses, others]) => {
    const never = new RegExp(`${others.source}${name === "with a number" ? "" : `|${sortsTable.source}`}`)
    const of = { ...inEnvironment, ...filter }
    return [
      [`leads, ${name}`, { statement: LeadQueries.page(of), values: [...values, "0", "10"], uses, never }],
      [
        `leads after, ${name}`,
        { statement: LeadQueries.after(of, false), values: [...values, "now()", "5", "10"], uses, never }
      ],
      [
        `leads moved, ${name}`,
        { statement: LeadQueries.movedSince(of), values: [...values, "now()", "5", "10"], uses, never }
      ]
    ]
  })
)

/** The content of the tables, before and after Postgres has analyzed them. */
const contents = {
  "empty tables": [],
  "20,000 rows without statistics": [
    `insert into job (key, environment, kind, payload, run_at, attempt)
      select 'waiting:' || i, 'e', 'send', '{}', now(), 1 from generate_series(1, 20000) i`,
    `insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
      select 'told:' || i, 'e', 'webhook', '{}', now(), 1, 'webhook', 'whk_' || i % 50 from generate_series(1, 20000) i`,
    `insert into verification (environment, id, canonical, state, expires_at, open, status, channel)
      select 'e', 'ver_' || i, '91', '{}', now(), i % 2 = 0, 'PENDING', 'SMS' from generate_series(1, 20000) i`,
    `insert into event (environment, id, type, created_at, data)
      select 'e', 'evt_' || i, 'otp.verified', now(), '{}' from generate_series(1, 20000) i`,
    `insert into fact (kind, environment, at, key, value)
      select 'poked', 'e' || i % 9, now(), 'k' || i, '{}' from generate_series(1, 20000) i`,
    `insert into audit (merchant_id, id, environment, at, action, actor_id, target_id, entry)
      select 'm' || nullif(i % 3, 0), 'aud_' || i, 'e', now() - i * interval '10 minutes',
        case when i % 100 = 0 then 'key.rolled' else 'settings.changed' end, (i % 50)::text, case when i % 2 = 0 then 'live' else i::text end, '{}'
      from generate_series(1, 20000) i where i % 3 > 0
      union all
      select 'm', 'aud_' || i, 'e', now() - i * interval '10 minutes',
        case when i % 100 = 0 then 'key.rolled' else 'verification.unmasked' end, (i % 50)::text, i::text, '{}'
      from generate_series(1, 10000) i`,
    `insert into webhook (environment, id, version, url, state)
      select 'e' || i % 9, 'whk_' || i, 1, 'https://shop.example/' || i, '{}' from generate_series(1, 2000) i`,
    `insert into webhook_attempt (environment, id, webhook_id, event_id, event_type, attempt, status, url, created_at, duration_ms)
      select 'e', 'dlv_' || i, 'whk_' || i % 3, 'evt_' || i, 'otp.verified', 1, 'DELIVERED', 'https://shop.example', now(), 1
      from generate_series(1, 20000) i`,
    `insert into merchant (id, name, status, created_at) select 'm' || i, 'm', 'ACTIVE', now() from generate_series(1, 5000) i`,
    `insert into environment (id, merchant_id, kind, settings, settings_version)
      select k || i, 'm' || i, k, '{}', 1 from generate_series(1, 5000) i, unnest(array['live', 'test']) k`,
    `insert into agent (merchant_id, id, version, canonical, active, removed, state)
      select 'm' || i, 1, 1, 'a' || i % 3000, true, false, '{}' from generate_series(1, 5000) i`,
    `insert into session (merchant_id, id, version, agent_id, hash, signed_in_at, last_used_at, state)
      select 'm' || i % 5000, 'ses_' || i, 1, 1, 'h' || i, now(), now(), '{}' from generate_series(1, 20000) i`,
    `insert into sign_in_link (merchant_id, id, version, hash, expires_at, state)
      select 'm' || i, 1, 1, 'h' || i, now(), '{}' from generate_series(1, 5000) i`,
    `insert into lead (environment, id, version, contact, phone, user_id, owner, team, open, active_at, waiting_at, words, state)
      select 'e', i, 1, i::text, i::text, null, i % 3, i % 4, i % 2 = 0, now() - i * interval '1 minute',
        case when i % 10 = 0 then now() - i * interval '1 minute' end, '', '{}'
      from generate_series(1, 20000) i`,
    `insert into lead_read (environment, agent_id, lead_id, seen, unread)
      select 'e', i % 50, i, 1, false from generate_series(1, 20000) i`,
    `insert into lead_message (environment, id, version, lead_id, kind, at, provider_id, state)
      select 'e', 'msg_' || i, 1, i % 100, 'MESSAGE', now(), 'wamid.' || i, '{}' from generate_series(1, 20000) i`,
    `insert into launch (environment, id, version, at, source, medium, campaign, visitor, click, state)
      select 'e', 'lch_' || i, 1, now() - i * interval '1 minute', 's' || i % 7, '', '', 'v:' || i % 5000, 'c:' || i, '{}'
      from generate_series(1, 20000) i`,
    `insert into trail (environment, key, version, first_id, first_at, source, medium, campaign)
      select 'e', 'v:' || i, 1, 'lch_' || i, now(), '', '', '' from generate_series(1, 5000) i`,
    `insert into touch (environment, kind, id, at, launch_id, visitor, source, medium, campaign, currency)
      select 'e', 'CONVERSION', 'cnv_' || i, now() - i * interval '1 minute', 'lch_' || i, 'v:' || i % 5000, '', '', '', ''
      from generate_series(1, 20000) i`,
    `insert into ledger (environment, number, at, kind, amount, balance, reference)
      select 'e', i, now(), case i % 100 when 0 then 'TOP_UP' else 'SEND' end, 1, i, 'r' || i from generate_series(1, 20000) i`,
    `insert into balance (environment, version, amount, entries, credit_limit, is_low, holds)
      select 'e' || i, 0, 0, 0, 0, false, true from generate_series(1, 5000) i`,
    `insert into spending (environment, day, channel, amount, holds)
      select 'e' || i, to_char(now() - i % 9 * interval '1 day', 'YYYY-MM-DD'), 'SMS', 1, true from generate_series(1, 5000) i`
  ],
  "the same with statistics": ["analyze"]
}

/** Explains a statement, or runs it, in a session set up as the service's. */
const plan = Effect.fnUntraced(function* (statement: string, explain: string, values?: ReadonlyArray<string>) {
  const { sql } = yield* TestDatabase
  const count = Math.max(...Array.from(statement.matchAll(/\$(\d+)/g), ([, n]) => Number(n)))
  const rows = yield* sql.withTransaction(
    Effect.gen(function* () {
      for (const [name, value] of Object.entries(settings)) yield* sql.unsafe(`set local ${name} = '${value}'`)
      yield* sql.unsafe(`prepare planned as ${statement}`)
      const given = values ?? Array.from({ length: count }, () => "null")
      const plan = yield* sql.unsafe<{ "QUERY PLAN": string }>(`${explain} execute planned(${given.join(", ")})`)
      yield* sql.unsafe("deallocate planned")
      return plan
    })
  )
  return rows.map((row) => row["QUERY PLAN"]).join("\n")
})

/** Every search of verifications scans one index, in its order. */
const searches: { readonly [name: string]: Expected } = Object.fromEntries(
  (
    [
      ["all", [], /verification_\w*pkey/],
      ["a person", ["canonical", "channel", "country"], /verification_\w*(person|canonical_environment_id_idx)/],
      ["a person and an order", ["canonical", "orderId"], /verification_\w*(person|canonical_environment_id_idx)/],
      ["an order", ["orderId", "channel"], /verification_\w*(order|order_id_environment_id_idx)/],
      ["a country", ["country", "channel"], /verification_\w*(country|country_environment_id_idx)/],
      ["a channel", ["channel"], /verification_\w*pkey/]
    ] as const
  ).flatMap(([name, asked, uses]) =>
    ([null, "EXPIRED"] as const).map((status) => [
      `search of ${name}, ${status ?? "any"}`,
      {
        statement: Search.statement(asked, status),
        values: ["'e'", "'ver_~'", "'ver_'", "10", "100", "now()", ...asked.map(() => "'x'")],
        uses,
        never: /Sort\b(?! Key)/
      }
    ])
  )
)

const inOwnDatabase = <A, E>(effect: Effect.Effect<A, E, TestDatabase>) =>
  Effect.scoped(Effect.andThen(Effect.provide(Effect.void, storage()), effect)).pipe(Effect.provide(TestDatabase.layer))

it.live("every statement uses its index, with and without table statistics", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    for (const [when, prepare] of Object.entries(contents)) {
      for (const one of prepare) yield* sql.unsafe(one)
      for (const [name, { never, statement, uses, values }] of Object.entries({
        ...statements,
        ...searches,
        ...lists
      })) {
        const shown = yield* plan(statement, "explain", values)
        const where = `${name}, with ${when}:\n${shown}`
        assert.match(shown, uses, where)
        assert.notMatch(shown, /Seq Scan on (?!change|ok\b)/, where)
        if (never !== undefined) assert.notMatch(shown, never, where)
      }
    }
  }).pipe(inOwnDatabase)
)

it.live("Postgres accepts every statement in packages/postgres/sql", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    for (const statement of Object.values(written).flatMap((shapes) => Object.values(shapes))) {
      yield* sql.unsafe(`prepare accepted as ${statement}`)
      yield* sql.unsafe("deallocate all")
    }
  }).pipe(inOwnDatabase)
)

/** The most rows that any node of a plan read, including the rows that it removed. */
const mostRows = (shown: string) => {
  let most = 0
  for (const line of shown.split("\n")) {
    const node = /actual .*rows=([\d.]+) loops=(\d+)/.exec(line)
    const removed = /Rows Removed by [^:]+: (\d+)/.exec(line)
    if (node !== null) most = Math.max(most, Number(node[1]) * Number(node[2]))
    if (removed !== null) most = Math.max(most, Number(removed[1]))
  }
  return most
}

const backlogs = {
  "jobs of a gate": {
    rows: `insert into job (key, environment, kind, payload, run_at, attempt, gate, lane)
      select 'told:' || i, 'e' || i % 3, 'webhook', '{}', now() - interval '1 hour', 0, 'webhook', 'whk_' || i % 15
      from generate_series(1, 20000) i`,
    // Up to `fewDue` due jobs, and then by lanes.
    touches: { claim: 0, nextRunAt: 0, claimGates: Jobs.fewDue }
  },
  "jobs without a gate": {
    rows: `insert into job (key, environment, kind, payload, run_at, attempt)
      select 'sent:' || i, 'e', 'send', '{}', now() - interval '1 hour', 0 from generate_series(1, 20000) i`,
    touches: { claim: 30, nextRunAt: 1, claimGates: Jobs.fewDue }
  },
  "verifications that expire later": {
    rows: `insert into verification (environment, id, canonical, state, expires_at, open, status, channel)
      select 'e', 'ver_' || i, '91', '{}', '2099-01-01', true, 'PENDING', 'SMS' from generate_series(1, 20000) i`,
    touches: { expired: 0 }
  },
  "verifications that expired before": {
    rows: `insert into verification (environment, id, canonical, state, expires_at, open, status, channel)
      select 'e', 'ver_old_' || i, '91', '{}', '2020-01-01', true, 'PENDING', 'SMS' from generate_series(1, 20000) i`,
    touches: { expired: 0 }
  },
  "closed verifications": {
    rows: `insert into verification (environment, id, canonical, state, expires_at, open, status, channel)
      select 'e', 'ver_closed_' || i, '91', '{}', '2030-06-01', false, 'PENDING', 'SMS' from generate_series(1, 20000) i`,
    touches: { expired: 500 }
  }
}

const asked = {
  claim: { statement: Jobs.claim, values: ["now()", "'{send,webhook}'", `'{"2100-01-01","2100-01-01"}'`, "30"] },
  nextRunAt: { statement: Jobs.nextRunAt, values: ["'{send,webhook}'"] },
  claimGates: {
    statement: Jobs.claimGates,
    values: [
      "now()",
      "'{send,webhook}'",
      `'{"2100-01-01","2100-01-01"}'`,
      `'[{"gate":"SMS","limit":64,"free":100,"share":null,"room":64,"held":{},"rooms":{}},
        {"gate":"webhook","limit":64,"free":256,"share":1,"room":8,"held":{"e1":7},"rooms":{"whk_1":2}}]'`
    ]
  },
  expired: { statement: Verifications.expiredFrom, values: ["'2030-01-01'", "''", "'2031-01-01'", "500", "100"] }
}

it.live("claims and expiry scans read only the rows that they find, however many others wait", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    for (const [what, { rows, touches }] of Object.entries(backlogs)) {
      yield* sql.unsafe(rows)
      for (const [name, most] of Object.entries(touches)) {
        const { statement, values } = asked[name as keyof typeof asked]
        const shown = yield* plan(
          statement,
          "explain (analyze, costs off, timing off, summary off, buffers off)",
          values
        )
        assert.isAtMost(mostRows(shown), most, `${name} beside 20,000 ${what}:\n${shown}`)
      }
    }
  }).pipe(inOwnDatabase)
)

it.live("lanes without a due job cost a claim nothing, however many there are", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    yield* sql.unsafe(`insert into job (key, environment, kind, payload, run_at, attempt, failures, gate, lane)
      select 'later:' || i, 'e' || i % 1000, 'webhook', '{}', now() + interval '2 hours', 1, 1, 'webhook', 'whk_' || i
      from generate_series(1, 20000) i`)
    yield* sql.unsafe(`update job set run_at = now() where key in ('later:1', 'later:7', 'later:12000')`)
    const { statement, values } = asked.claimGates
    const shown = yield* plan(statement, "explain (analyze, costs off, timing off, summary off, buffers off)", values)
    assert.isAtMost(mostRows(shown), 10, shown)
  }).pipe(inOwnDatabase)
)

it.live("expired verifications are found behind any number of closed ones", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    const store = Context.get(yield* Layer.build(storage()), VerificationStore)
    // Two open rows in between, and two after: one scan ends at each multiple of 8,192.
    yield* sql.unsafe(`insert into verification (environment, id, canonical, state, expires_at, open, status, channel)
      select 'e', 'ver_' || lpad(i::text, 9, '0'), '91', '{}', '2030-06-01', i in (1, 8192, 8193, 20000), 'PENDING', 'SMS'
      from generate_series(1, 20000) i`)
    const moment = Date.UTC(2030, 5, 1)
    const look = (limit: number, id = "") =>
      Effect.map(store.expired({ after: { expiresAt: moment, id }, until: moment, limit }), (found) =>
        found.map(({ id }) => Number(id.slice(4)))
      )
    assert.deepStrictEqual(yield* look(10), [1, 8192, 8193, 20000])
    assert.deepStrictEqual(yield* look(1), [1])
    assert.deepStrictEqual(yield* look(2), [1, 8192])
    assert.deepStrictEqual(yield* look(3), [1, 8192, 8193])
    assert.deepStrictEqual(yield* look(10, "ver_000000001"), [8192, 8193, 20000])
    assert.deepStrictEqual(yield* look(10, "ver_000008193"), [20000])
    assert.deepStrictEqual(yield* look(10, "ver_000020000"), [])
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)

/**
 * Half of the 20,000 leads belong to agent 1 in team 1. "asha" and "rao" are common names; "khan" is one of the latest
 * 300.
 */
const manyLeads = [
  `insert into lead (environment, id, version, contact, phone, user_id, owner, team, open, active_at, waiting_at, words, state)
    select 'e', i, 1, i::text, i::text, null, 1 + i % 2, 1 + i % 2, i % 3 <> 0, now() - i * interval '1 minute',
      case when i % 3 <> 0 then now() - i * interval '1 minute' end,
      case i % 2 when 0 then 'asha' else 'ravi' end || case when i > 19700 then ' khan' else ' rao' end, '{}'
    from generate_series(1, 20000) i`,
  `insert into lead_word (environment, word, lead_id, words)
    select 'e', w, id, words from lead cross join lateral unnest(string_to_array(words, ' ')) w`,
  "vacuum analyze"
]

it.live("a list or a search of leads reads few more rows than it returns, however many leads there are", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    for (const one of manyLeads) yield* sql.unsafe(one)
    const page = (filter: Parameters<typeof LeadQueries.page>[0], ...values: ReadonlyArray<string>) => ({
      statement: LeadQueries.page(filter),
      values: ["'e'", ...values, "0", "10"],
      most: 25
    })
    const asked = {
      "the first page": page(inEnvironment),
      "closed ones": page({ ...inEnvironment, status: "CLOSED" }),
      "an agent's": page({ ...inEnvironment, assignedTo: 1 }, "1"),
      "a team's": page({ ...inEnvironment, teamId: 1 }, "1"),
      "an agent's in a team": page({ ...inEnvironment, assignedTo: 1, teamId: 1 }, "1", "1"),
      "an agent's in another team": page({ ...inEnvironment, assignedTo: 1, teamId: 2 }, "1", "2"),
      "the first waiting ones": {
        statement: LeadQueries.waiting(waitingInEnvironment, true),
        values: ["'e'", "10", "now()"],
        most: 25
      },
      "the first snoozed ones": {
        statement: LeadQueries.waiting(waitingInEnvironment, false),
        values: ["'e'", "10", "'infinity'", "now()", "2147483647"],
        most: 25
      },
      "an agent's waiting ones": {
        statement: LeadQueries.waiting({ ...waitingInEnvironment, assignedTo: 1 }, true),
        values: ["'e'", "10", "now()", "1"],
        most: 25
      },
      "one name": {
        statement: LeadQueries.searchByWord,
        values: ["'e'", "'{ash}'", "10", "80"],
        most: 25
      },
      "two names that many have": {
        statement: LeadQueries.searchByWords,
        values: ["'e'", "'{asha,rao}'", "10"],
        most: 400
      },
      "a name that many have and one that none has": {
        statement: LeadQueries.searchByWords,
        values: ["'e'", "'{asha,khanna}'", "10"],
        most: 400
      }
    }
    for (const [what, { most, statement, values }] of Object.entries(asked)) {
      const shown = yield* plan(statement, "explain (analyze, costs off, timing off, summary off, buffers off)", values)
      assert.isAtMost(mostRows(shown), most, `${what}:\n${shown}`)
    }
  }).pipe(inOwnDatabase)
)

it.live("leads with two common names are found, even when the first thousand with one name lack the other", () =>
  Effect.gen(function* () {
    const { sql } = yield* TestDatabase
    const store = Context.get(yield* Layer.build(storage()), LeadStore)
    for (const one of manyLeads) yield* sql.unsafe(one)
    const search = (words: ReadonlyArray<string>, limit: number) =>
      Effect.map(store.search("e", { words }, limit), (found) => new Set(found.map(({ id }) => id)).size)
    assert.strictEqual(yield* search(["asha", "khan"], 10), 10)
    assert.strictEqual(yield* search(["kha", "as"], 1_000), 150)
    assert.strictEqual(yield* search(["asha", "rao"], 1_000), 1_000)
    assert.strictEqual(yield* search(["asha", "ravi"], 10), 0)
  }).pipe(Effect.scoped, Effect.provide(TestDatabase.layer))
)
