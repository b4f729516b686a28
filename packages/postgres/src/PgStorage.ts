import {
  EventStore,
  IdempotencyStore,
  JobStore,
  MerchantStore,
  StorageHealth,
  type StoragePorts,
  VerificationStore
} from "@countersign/core"
import { PgClient, type PgConnection } from "@effect/sql-pg"
import { Context, Duration, Effect, Layer, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import * as Embedded from "./Embedded.ts"
import * as Maintenance from "./Maintenance.ts"
import * as Migrations from "./Migrations.ts"
import { PgDatabase } from "./PgDatabase.ts"
import * as PgEventStore from "./PgEventStore.ts"
import { fromSqlError, PgFailure } from "./PgFailure.ts"
import * as PgIdempotencyStore from "./PgIdempotencyStore.ts"
import * as PgJobStore from "./PgJobStore.ts"
import * as PgMerchantStore from "./PgMerchantStore.ts"
import * as PgVerificationStore from "./PgVerificationStore.ts"
import * as PgWakeUps from "./PgWakeUps.ts"
import { settings } from "./settings.ts"
import { MigrationFailed, StorageStartError, Unreachable, UnsafeSetting, WrongSchema } from "./StorageStartError.ts"
