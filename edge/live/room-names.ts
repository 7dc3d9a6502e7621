/*
 * Names of the rooms (docs/contract.md). The prefix before the colon determines the right that opens a room
 * (admission.ts).
 */

/** One person, on all devices. */
export const memberRoom = (id: string): string => `member:${id}`
/** All members of a workspace. */
export const workspaceRoom = (id: string): string => `workspace:${id}`
/** Members of a workspace who follow pages of a type, such as article. */
export const typeRoom = (workspaceId: string, type: string): string => `workspace:${workspaceId}:type:${type}`
/** All members of an ecosystem, who join automatically. */
export const ecosystemRoom = (id: string): string => `ecosystem:${id}`
/** Members of an ecosystem who follow its hotel's settings and subscription. */
export const hotelRoom = (id: string): string => `hotel:${id}`
/** Members who have a page open. */
export const pageRoom = (id: string): string => `page:${id}`
/** Members who follow a workspace's presence. */
export const presenceRoom = (workspaceId: string): string => `workspace:${workspaceId}:presence`
