/**
 * Keys get scopes, a name, secrets that retire, a last use and an end. Keys of before may call everything. What an
 * environment's keys become is guarded by one version.
 *
 * `replaced` is a JSON array of `{hash, until}`, newest first: read and written whole, with its key.
 */
export const keys: ReadonlyArray<string> = [
  `alter table environment add column keys_version int not null default 1`,
  `alter table credential
    add column scopes text not null default '',
    add column name text,
    add column replaced text not null default '[]',
    add column last_used_at timestamptz,
    add column revoked_at timestamptz`,
  `update credential set scopes = 'auth,leads,dashboard' where kind = 'SERVER'`,
  // What every embedded service without keys was given: everybody knows it.
  `update credential set secret_hash = null, revoked_at = now()
    where id in ('cs_live_in_process', 'pk_live_in_process', 'cs_test_in_process', 'pk_test_in_process')`
]
