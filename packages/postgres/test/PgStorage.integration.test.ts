import { StorageTest } from "@countersign/testkit"
import { Layer } from "effect"
import { storage, TestDatabase } from "./TestDatabase.ts"

StorageTest.suite("Postgres", Layer.provide(storage(), TestDatabase.layer))
