/** Subject of frames for the sockets of every edge process: a RoomFrame. */
export const framesSubject = 'live.frames'
/** Subject on which edge processes report their sockets: a PresenceReport. */
export const presenceSubject = 'live.presence'

/*
 * Names of the live rooms (docs/contract.md). The edge checks the right to join by the prefix before the first colon
 * (edge/live/admission.ts).
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
/** Members who see which other members of a workspace are online. */
export const presenceRoom = (workspaceId: string): string => `workspace:${workspaceId}:presence`
