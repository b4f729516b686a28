import { MemoryStorage } from "@countersign/core/memory"
import { StorageTest } from "@countersign/testkit"

StorageTest.suite("memory", MemoryStorage.layer)
