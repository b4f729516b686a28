import { StorageTest } from "@countersign/testkit"
import { PgStorage } from "../src/index.ts"

StorageTest.suite("embedded, in memory", PgStorage.layerEmbedded())
