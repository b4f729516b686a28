/**
 * How providers of sign-ins know people: a row changes from now on, and lists the agents that it opens, in `state`. Each
 * address that one of them was opened by has a row of its own, because sessions use no bitmap scans, and with them no GIN
 * index. Rows of processes that run the version before have neither: the index on `canonical` finds them.
 *
 * A session has the era of its agent in `proven_era` where the sign-in showed the address, and null where it did not.
 */
export const openings: ReadonlyArray<string> = [
  `alter table known_subject
    add column version int not null default 1,
    add column state text`,
  `create table known_subject_address (
    canonical text collate "C" not null,
    issuer text collate "C" not null,
    subject text collate "C" not null,
    primary key (canonical, issuer, subject)
  )`,
  "alter table session add column proven_era int",
  `update session set proven_era = substring(state from '"emailProven":true,"era":([0-9]{1,9}),')::int
    where state like '%"emailProven":true,"era":%'`,
  "create index known_subject_of_address on known_subject (canonical)",
  "create index known_subject_address_of_subject on known_subject_address (issuer, subject)"
]
