import type { Migration } from "./Migration.ts"
import { online, statements } from "./Migration.ts"
import { tables } from "./migrations/0001_tables.ts"
import { devices } from "./migrations/0002_devices.ts"
import { windows } from "./migrations/0003_windows.ts"
import { expiries } from "./migrations/0004_expiries.ts"
import { webhooks } from "./migrations/0005_webhooks.ts"
import { jobFailures } from "./migrations/0006_job_failures.ts"
import { orderOfTheServer } from "./migrations/0007_order_of_the_server.ts"
import { keys } from "./migrations/0008_keys.ts"
import { secretFingerprint } from "./migrations/0009_secret_fingerprint.ts"
import { owners } from "./migrations/0010_owners.ts"
import { facts } from "./migrations/0011_facts.ts"
import { inbox } from "./migrations/0012_inbox.ts"
import { attribution } from "./migrations/0013_attribution.ts"
import { audit } from "./migrations/0014_audit.ts"
import { people } from "./migrations/0015_people.ts"
import { templates } from "./migrations/0016_templates.ts"
import { search } from "./migrations/0017_search.ts"
import { statistics } from "./migrations/0018_statistics.ts"
import { erasure } from "./migrations/0019_erasure.ts"
import { merchants } from "./migrations/0020_merchants.ts"
import { signIn } from "./migrations/0021_sign_in.ts"
import { refusals } from "./migrations/0029_refusals.ts"
import { billing } from "./migrations/0030_billing.ts"
import { campaigns } from "./migrations/0031_campaigns.ts"
import { optOuts } from "./migrations/0032_opt_outs.ts"
import { presence } from "./migrations/0033_presence.ts"
import { clock } from "./migrations/0036_clock.ts"
import { bounds } from "./migrations/0037_bounds.ts"
import { openings } from "./migrations/0039_openings.ts"
import { deployment } from "./migrations/0041_deployment.ts"
import { dueJobs } from "./migrations/0042_due_jobs.ts"

/** Where Postgres keeps which migrations ran. */
export const migrationsTable = "countersign_migrations"

export interface Migrations {
  readonly [name: string]: Migration
}

/** Every migration by its name, in order. One that was released never changes again. */
export const all = {
  "0001_tables": statements(tables),
  "0002_devices": statements(devices),
  "0003_windows": statements(windows),
  "0004_expiries": statements(expiries),
  "0005_webhooks": statements(webhooks),
  "0006_job_failures": online(jobFailures),
  "0007_order_of_the_server": online(orderOfTheServer),
  "0008_keys": statements(keys),
  "0009_secret_fingerprint": statements(secretFingerprint),
  "0010_owners": statements(owners),
  "0011_facts": statements(facts),
  "0012_inbox": statements(inbox),
  "0013_attribution": statements(attribution),
  "0014_audit": statements(audit),
  "0015_people": statements(people),
  "0016_templates": statements(templates),
  "0017_search": online(search),
  "0018_statistics": statements(statistics),
  "0019_erasure": online(erasure),
  "0020_merchants": statements(merchants),
  "0021_sign_in": statements(signIn),
  "0029_refusals": statements(refusals),
  "0030_billing": statements(billing),
  "0031_campaigns": statements(campaigns),
  "0032_opt_outs": statements(optOuts),
  "0033_presence": statements(presence),
  "0036_clock": statements(clock),
  "0037_bounds": online(bounds),
  "0039_openings": statements(openings),
  "0041_deployment": statements(deployment),
  "0042_due_jobs": online(dueJobs)
} satisfies Migrations

/** `0005_webhooks` is 5. */
export const numberOf = (name: string) => Number.parseInt(name, 10)

/** The id of every migration that this version has. */
export const ids: ReadonlyArray<number> = Object.keys(all).map(numberOf)

/** The newest of them. A database that had it may still lack an older one. */
export const latest = Math.max(...ids)
