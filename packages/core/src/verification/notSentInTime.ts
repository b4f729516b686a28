/** Why a message FAILED that waited until its code had expired. */
export const notSentInTime = "not_sent_in_time"
