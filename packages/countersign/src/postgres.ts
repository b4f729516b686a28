/** Storage on your own Postgres, or on one embedded in this process. */
export { PgClock, PgStorage, StorageStartError } from "@countersign/postgres"
