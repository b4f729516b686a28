/** What the processes of this storage have seen of time, in one row: see core's `ClockRecord`. It is updated in place. */
export const clock: ReadonlyArray<string> = [
  `create table storage_clock (
    id int primary key check (id = 1),
    version int not null,
    state text not null
  ) with (fillfactor = 10)`
]
