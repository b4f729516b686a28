import { contractInTime } from "./contract/suite.ts"
import { cluster, embedded, memory } from "./fixture/Service.ts"

contractInTime({ memory, embedded, cluster })
