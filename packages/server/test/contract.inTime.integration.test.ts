import { contractInTime } from "./contract/suite.ts"
import { cluster, memory } from "./fixture/Service.ts"

contractInTime({ memory, cluster })
