/**
 * What people sign in with besides their address: passkeys, and how providers know them. Who looks for a passkey by its
 * id finds removed ones too, so the other index leaves them out.
 */
export const signIn: ReadonlyArray<string> = [
  `create table passkey (
    id text collate "C" primary key,
    canonical text collate "C" not null,
    version int not null,
    created_at timestamptz not null,
    removed boolean not null,
    state text not null
  ) with (fillfactor = 80)`,
  "create index passkey_of_person on passkey (canonical, created_at, id) where not removed",

  `create table known_subject (
    issuer text collate "C" not null,
    subject text collate "C" not null,
    canonical text collate "C" not null,
    known_since timestamptz not null,
    primary key (issuer, subject)
  )`
]
