/*
 * Names of the rooms (document 1, "Realtime (socket) rooms"): what comes before the colon says which right opens a room
 * (admission.ts).
 */

/** One person, on all devices. */
export const memberRoom = (id: string): string => `member:${id}`
/** Everybody in a workspace. */
export const workspaceRoom = (id: string): string => `workspace:${id}`
/** Those in a workspace who follow pages of a type, such as article. */
export const typeRoom = (workspaceId: string, type: string): string => `workspace:${workspaceId}:type:${type}`
/** Everybody of an ecosystem, who are in it unasked. */
export const ecosystemRoom = (id: string): string => `ecosystem:${id}`
/** Those of an ecosystem who follow its hotel's settings and subscription. */
export const hotelRoom = (id: string): string => `hotel:${id}`
/** Those who have a page open. */
export const pageRoom = (id: string): string => `page:${id}`
/** Those who ask who is online in a workspace. */
export const presenceRoom = (workspaceId: string): string => `workspace:${workspaceId}:presence`
