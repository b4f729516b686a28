import { statements as attribution } from "../src/attributionParts.ts"
import { add as addRecipients, statements as campaigns } from "../src/campaignParts.ts"
import * as Campaigns from "../src/campaignQueries.ts"
import { commit as verificationCommit, whole as wholeVerificationCommit } from "../src/commitStatement.ts"
import { commit as erasureCommit } from "../src/erasureStatement.ts"
import { statements as leads } from "../src/leadParts.ts"
import * as Labels from "../src/PgLabelStore.ts"
import * as LeadQueries from "../src/leadQueries.ts"
import { statements as staff } from "../src/staffParts.ts"
import * as Attribution from "../src/PgAttributionStore.ts"
import * as Audit from "../src/PgAuditStore.ts"
import * as Balances from "../src/PgBalanceStore.ts"
import * as Clock from "../src/PgClockStore.ts"
import * as Counters from "../src/PgCounters.ts"
import * as Erasures from "../src/PgErasureStore.ts"
import * as Events from "../src/PgEventStore.ts"
import * as Facts from "../src/PgFactStore.ts"
import * as Hooks from "../src/PgHookStore.ts"
import * as Idempotency from "../src/PgIdempotencyStore.ts"
import * as Jobs from "../src/PgJobStore.ts"
import * as Keys from "../src/PgKeyStore.ts"
import * as Leads from "../src/PgLeadStore.ts"
import * as Merchants from "../src/PgMerchantStore.ts"
import * as Numbers from "../src/PgNumberStore.ts"
import * as OptOuts from "../src/PgOptOutStore.ts"
import * as Outbox from "../src/PgOutboxStore.ts"
import * as Passkeys from "../src/PgPasskeyStore.ts"
import * as Staff from "../src/PgStaffStore.ts"
import * as Presences from "../src/PgPresenceStore.ts"
import * as Refusals from "../src/PgRefusalStore.ts"
import * as SenderIds from "../src/PgSenderIdStore.ts"
import * as Statistics from "../src/PgStatStore.ts"
import * as Subjects from "../src/PgSubjectStore.ts"
import * as Trips from "../src/PgTripStore.ts"
import * as Templates from "../src/PgTemplateStore.ts"
import * as Verifications from "../src/PgVerificationStore.ts"
import * as Webhooks from "../src/PgWebhookStore.ts"
import * as Windows from "../src/PgWindowStore.ts"
import * as Search from "../src/verificationSearch.ts"

/** The statements of one file in `packages/postgres/sql`, by description. */
export interface Statements {
  readonly [what: string]: string
}

const e = { environment: "e" }

/** Every statement that is composed from parts, and every sign-in statement, by file name. */
export const statements: { readonly [file: string]: Statements } = {
  "staff.commit": { "Commits changes of agents, teams, sign-in links and sessions.": staff.whole.whole },
  "staff.read": {
    "Loads the agents and teams of merchants.": Staff.staff,
    "Loads sessions with their agent and merchant.": Staff.session,
    "Loads a sign-in link with its agent and merchant.": Staff.link,
    "Lists the memberships of an address.": Staff.memberships,
    "Loads a membership.": Staff.membership,
    "Lists the sessions of an agent.": Staff.sessions,
    "Loads the sign-in link of an agent.": Staff.linkOfAgent
  },
  "staff.write": { "Moves the last use of a session forward.": Staff.used },
  "verification.commit": {
    "Commits an event and a job for people without an earlier verification: an initiate.": verificationCommit([
      "fresh"
    ]).text(["recorded", "added"]),
    "Commits an event for known people: a verify.": verificationCommit(["known"]).text(["recorded"]),
    "Commits changes that also debit the balance.": wholeVerificationCommit.text(["booked", "recorded", "added"]),
    "Commits changes with every possible effect.": wholeVerificationCommit.whole
  },
  "verification.load": {
    "Loads subjects, for an initiate.": Verifications.loadSubjects,
    "Loads verifications with their subjects, for a verify.": Verifications.loadVerifications,
    "Loads verifications, for a status.": Verifications.findVerifications,
    "Finds verifications by the merchant's order ids.": Verifications.findOrders,
    "Finds the owners of devices.": Verifications.findDevices
  },
  "verification.list": {
    "Finds verifications that expired and are still open.": Verifications.expiredFrom,
    "Reads the verifications of a time.": Verifications.between,
    "Reads all verifications of a person.": Verifications.ofPerson,
    "Finds people by the last four digits of their number.": Verifications.endingWith,
    "Searches verifications.": Search.statement([], null),
    "Searches verifications by person, channel and country.": Search.statement(
      ["canonical", "channel", "country"],
      null
    ),
    "Searches expired verifications of an order.": Search.statement(["orderId"], "EXPIRED"),
    "Searches verifications by country and tag.": Search.statement(["country"], null, { tag: true }),
    "Searches verifications by outcome and tag.": Search.statement([], null, { outcome: true, tag: true }),
    "Searches relayed codes.": Search.statement([], null, { relayed: true })
  },
  "job.claim": {
    "Claims due jobs without a gate.": Jobs.claim,
    "Claims due jobs of gates, fairly between environments.": Jobs.claimGates
  },
  "job.end": {
    "Completes claimed jobs.": Jobs.complete,
    "Releases claimed jobs, or buries them.": Jobs.giveUp,
    "Cancels jobs by key.": Jobs.cancel
  },
  "outbox.append": { "Writes effects without an aggregate.": Outbox.append.whole },
  "lead.commit": {
    "Commits changes of one lead and its messages.": leads.commit(["leads", "messages"]).text(["done", "recorded"]),
    "Commits changes of every kind of inbox row.": leads.whole.whole
  },
  "lead.load": {
    "Loads leads.": Leads.getLead,
    "Loads messages.": Leads.getMessage,
    "Finds customers' leads, and the messages that exist already.": Leads.known,
    "Reads the messages of a lead.": Leads.messages(true),
    "Reads reactions and edits of messages.": Leads.amendments,
    "Reads the history of a lead.": Leads.history(true)
  },
  "lead.list": {
    "Lists leads by page.": LeadQueries.page(e),
    "Lists leads after a cursor.": LeadQueries.after({ ...e, teamId: 1, assignedTo: 1 }, false),
    "Lists leads with a later message than a cursor.": LeadQueries.movedSince({ ...e, assignedTo: 1, status: "OPEN" }),
    "Lists leads with a label.": LeadQueries.after({ ...e, label: "lbl_1", assignedTo: 1 }, false),
    "Lists the labels of a merchant.": Labels.list,
    "Adds, changes or removes a label.": Labels.commit.whole,
    "Lists waiting leads.": LeadQueries.waiting({ ...e, assignedTo: 1, teamId: 1, until: 0 }, false),
    "Counts waiting leads.": LeadQueries.countWaiting,
    "Reads the latest message of leads.": Leads.latest,
    "Reads how far an agent has read leads.": Leads.reads,
    "Saves how far an agent has read a lead.": Leads.saveRead,
    "Forgets how far an agent has read leads.": Leads.forgetReads,
    "Lists the leads that changed a moment ago.": Leads.changes,
    "Deletes old changes of leads.": Leads.oldChanges,
    "Lists the leads of an agent.": LeadQueries.ownedBy,
    "Counts the open leads of agents.": LeadQueries.openLeads,
    "Searches leads by the end of a number.": LeadQueries.searchByPhoneEnd,
    "Searches leads by one word.": LeadQueries.searchByWord,
    "Searches leads by several words.": LeadQueries.searchByWords
  },
  "campaign.commit": {
    "Commits changes of recipients.": campaigns.commit(["recipients"]).text(["added"]),
    "Commits changes of campaigns and recipients.": campaigns.whole.whole,
    "Adds recipients.": addRecipients
  },
  "campaign.read": {
    "Loads campaigns.": Campaigns.get,
    "Finds the campaign that a request created.": Campaigns.made,
    "Lists campaigns.": Campaigns.list(true),
    "Loads recipients.": Campaigns.recipient,
    "Lists recipients.": Campaigns.recipients(true),
    "Lists recipients whose outcome is unknown.": Campaigns.open,
    "Lists the recipients with a phone number.": Campaigns.ofPerson,
    "Lists finished campaigns that are not counted yet.": Campaigns.uncounted
  },
  "attribution.commit": {
    "Commits changes of trails, launches and touches.": attribution.whole.whole
  },
  "attribution.read": {
    "Loads launches.": Attribution.getLaunch,
    "Loads trails.": Attribution.getTrail,
    "Loads conversions.": Attribution.getConversion,
    "Finds the earliest launches of a visitor.": Attribution.earliest("visitor"),
    "Sums by the last touch.": Attribution.sums("last", false),
    "Sums by the first touch, next page.": Attribution.sums("first", true),
    "Lists old launches.": Attribution.old,
    "Deletes old touches.": Attribution.purge
  },
  hook: {
    "Saves a hook.": Hooks.commit.whole,
    "Removes a hook.": Hooks.remove.text(["audited"]),
    "Loads hooks.": Hooks.get,
    "Lists the hooks of an environment.": Hooks.list,
    "Adds requests to the lists of their hooks.": Hooks.note,
    "Lists the requests of a hook.": Hooks.requests(true),
    "Deletes old requests.": Hooks.old
  },
  "webhook.write": {
    "Saves an endpoint.": Webhooks.commit.whole,
    "Removes an endpoint.": Webhooks.remove.text(["audited"]),
    "Records attempts.": Webhooks.record.whole
  },
  "webhook.read": {
    "Lists the endpoints of environments.": Webhooks.list,
    "Loads attempts.": Webhooks.attemptOf,
    "Lists the attempts of an endpoint.": Webhooks.attempts("FAILED", true),
    "Lists tried events with their attempts.": Webhooks.triedEvents(false, true),
    "Lists missed events with their attempts.": Webhooks.triedEvents(true, true),
    "Lists the attempts of events.": Webhooks.attemptsOf
  },
  "merchant.write": {
    "Creates a merchant with its environments and keys.": Merchants.create.text(["audited"]),
    "Changes a merchant.": Merchants.change.text(["audited"]),
    "Saves the settings of an environment.": Merchants.saveSettings.text(["audited"])
  },
  "merchant.read": {
    "Loads keys by id, each with its merchant and environment.": Merchants.access,
    "Loads an environment.": Merchants.environment,
    "Loads a merchant with its environments and keys.": Merchants.get,
    "Lists merchants.": Merchants.list
  },
  "key.write": {
    "Adds and changes keys.": Keys.commit.text(["audited"]),
    "Records when keys were last used.": Keys.used
  },
  "key.read": { "Loads the keys of an environment.": Keys.load },
  "idempotency.write": {
    "Takes keys, or reads their records.": Idempotency.begin,
    "Stores responses.": Idempotency.finish
  },
  "window.write": { "Loads rate windows.": Windows.load, "Saves rate windows.": Windows.save },
  "template.write": { "Saves a template.": Templates.commit.whole },
  "template.read": {
    "Lists templates without their content.": Templates.heads,
    "Loads a template.": Templates.get,
    "Lists templates.": Templates.list,
    "Finds templates by their WhatsApp name.": Templates.atProvider
  },
  trip: {
    "Lists the places that the guard stopped.": Trips.list,
    "Loads a place that the guard stopped.": Trips.get,
    "Saves a place that the guard stopped.": Trips.commit.text(["audited"])
  },
  number: {
    "Loads connected numbers.": Numbers.get,
    "Lists connected numbers.": Numbers.list,
    "Saves a connected number.": Numbers.commit.text(["audited"]),
    "Removes a connected number.": Numbers.remove.text(["audited"])
  },
  passkey: {
    "Loads a passkey.": Passkeys.get,
    "Lists the passkeys of a person.": Passkeys.list,
    "Saves a passkey.": Passkeys.commit.text(["audited"])
  },
  subject: {
    "Loads an identity of a sign-in provider.": Subjects.get,
    "Lists the identities with an address.": Subjects.list,
    "Saves an identity of a sign-in provider.": Subjects.commit.text(["audited"])
  },
  "sender-id": {
    "Lists sender ids.": SenderIds.list,
    "Adds or removes a sender id.": SenderIds.commit.text(["audited"])
  },
  "opt-out": {
    "Reads the opt-outs of numbers.": OptOuts.known,
    "Lists opt-outs.": OptOuts.list,
    "Saves an opt-out.": OptOuts.commit.text(["recorded"])
  },
  balance: {
    "Loads balances and the spending of a day.": Balances.funds,
    "Saves the terms of a balance and moves its amount.": Balances.commit.whole,
    "Lists the ledger.": Balances.ledger(true),
    "Finds a top-up.": Balances.topUp
  },
  statistics: {
    "Reads sums by key.": Statistics.bucketsAt,
    "Reads sums and facts of a time range.": Statistics.read,
    "Saves sums and deletes the facts that they include.": Statistics.commit.text(["folded"])
  },
  refusal: {
    "Records refused requests.": Refusals.commit.text([]),
    "Lists refused requests.": Refusals.list(false),
    "Lists refused requests of a reason.": Refusals.list(true),
    "Lists the refused requests of a person.": Refusals.ofPerson,
    "Removes a person's references from refused requests.": Refusals.forget
  },
  presence: {
    "Lists the agents who have a lead open.": Presences.list,
    "Lists the agents who have a lead of an environment open.": Presences.inEnvironment,
    "Records that an agent has a lead open.": Presences.save
  },
  clock: { "Saves the clock.": Clock.save, "Saves the clock and moves jobs back.": Clock.saveSetBack },
  counter: { "Issues the next numbers of counters.": Counters.count },
  erasure: {
    "Commits a step of an erasure, or of retention.": erasureCommit.whole,
    "Lists reactions and edits of messages.": Erasures.amending,
    "Lists people without a verification.": Erasures.people,
    "Lists erasures since an instant.": Erasures.since,
    "Deletes old events.": Erasures.forgetEvents
  },
  event: { "Loads events.": Events.get },
  fact: { "Lists facts.": Facts.list(true), "Lists the environments with facts.": Facts.environments },
  audit: {
    "Lists the audit log.": Audit.list([], false),
    "Lists the audit log of a month, next page.": Audit.list(["environments", "from", "to"], true)
  }
}
