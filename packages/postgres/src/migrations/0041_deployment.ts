/**
 * Facts about the whole deployment, such as which merchant was first. Databases from before have their first merchant
 * recorded as it was found until now: the one with the smallest id.
 */
export const deployment: ReadonlyArray<string> = [
  `create table deployment (
    name text collate "C" primary key,
    value text not null,
    changed_at timestamptz not null default now()
  )`,
  // Not compressed: a check that storage takes writes needs the room that it asks for.
  "alter table deployment alter column value set storage external",
  `insert into deployment (name, value)
  select 'firstMerchant', min(id) from merchant having min(id) is not null`
]
