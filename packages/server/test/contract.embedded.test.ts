import { contract } from "./contract/suite.ts"
import { embedded } from "./fixture/Service.ts"

contract("embedded", embedded)
