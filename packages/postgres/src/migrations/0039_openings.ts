/**
 * How providers of sign-ins know people: a row changes from now on, and lists the agents that it opens, in `state`. Rows of
 * processes that run the version before have neither `addresses` nor `state`: the index on `canonical` finds them.
 *
 * A session has the era of its agent in `proven_era` where the sign-in showed the address, and null where it did not.
 */
export const openings: ReadonlyArray<string> = [
  `alter table known_subject
    add column version int not null default 1,
    add column addresses text[] collate "C" not null default '{}',
    add column state text`,
  "alter table session add column proven_era int",
  `update session set proven_era = substring(state from '"emailProven":true,"era":([0-9]{1,9}),')::int
    where state like '%"emailProven":true,"era":%'`,
  "create index known_subject_of_address on known_subject (canonical)",
  "create index known_subject_of_addresses on known_subject using gin (addresses)"
]
