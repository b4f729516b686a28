import { MemoryStorage } from "@countersign/core"
import { StorageTest } from "@countersign/testkit"

StorageTest.suite("memory", MemoryStorage.layer)
