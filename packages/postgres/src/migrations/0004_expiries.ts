/** The index of expiries is walked forward, once. Nothing of it changes with a verification but when a code is sent again. */
export const expiries: ReadonlyArray<string> = [
  `alter table verification add column expires_at timestamptz, add column open boolean not null default false`,
  `create index verification_expiry on verification (expires_at, id)`
]
