/** Names of the rooms (document 1, "Realtime (socket) rooms"). */
export const memberRoom = (id: string): string => `member:${id}`
export const workspaceRoom = (id: string): string => `workspace:${id}`
export const typeRoom = (workspaceId: string, type: string): string => `workspace:${workspaceId}:type:${type}`
export const ecosystemRoom = (id: string): string => `ecosystem:${id}`
export const hotelRoom = (id: string): string => `hotel:${id}`
export const pageRoom = (id: string): string => `page:${id}`
export const presenceRoom = (workspaceId: string): string => `workspace:${workspaceId}:presence`
