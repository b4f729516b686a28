/**
 * The last word about campaigns to each number. An index of its own lists those who want none: among the numbers that
 * took it back they would be found late.
 */
export const optOuts: ReadonlyArray<string> = [
  `create table opt_out (
    environment text collate "C" not null,
    phone text collate "C" not null,
    is_out boolean not null,
    by text not null,
    at timestamptz not null,
    primary key (environment, phone)
  )`,
  "create index opt_out_list on opt_out (environment, phone) where is_out"
]
