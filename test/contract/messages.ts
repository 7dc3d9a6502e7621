/** Routing keys that the contract names; a trailing `*` stands for at least one key of ours. */
export const documentedKeys = [
  // Of the authentication service.
  'platform.authentication.*',
  'platform.notification.socket',
  'platform.webhook.report-error',
  'platform.auth.user.created',
  'platform.auth.user.deleted',
  // Of the hotel and the member service.
  'platform.notification.hotel.created',
  'platform.notification.hotel.updated',
  'platform.notification.hotel.deleted',
  'platform.storage.media',
  'platform.notification.member.registered',
  'platform.notification.member.updated',
  'platform.notification.member.deleted',
  'platform.notification.workspace.created',
  'platform.notification.workspace.member_joined',
  'platform.notification.workspace.member_left',
  'member.onboarding',
  // Of the news service.
  'platform.notification.page.created',
  'platform.notification.page.updated',
  'platform.notification.page.deleted',
  'platform.notification.comment.created',
  'platform.notification.comment.deleted',
  'platform.notification.like.created',
]

/** Payload fields of the outside contract, by event type; a dot leads into an object. */
export const documentedPayloads: Record<string, string[]> = {
  'hotel.created': ['hotelId', 'name', 'adminId'],
  'hotel.updated': ['hotelId', 'changes'],
  'hotel.deleted': ['hotelId', 'name'],
  'storage.media': ['ecosystemId', 'payload.max_size', 'payload.unit'],
  'member.registered': ['memberId', 'email', 'workspaceId'],
  'member.updated': ['memberId', 'changes'],
  'member.deleted': ['memberId', 'email'],
  'workspace.created': ['workspaceId', 'name', 'ecosystemId'],
  'workspace.member_joined': ['memberId', 'workspaceId'],
  'workspace.member_left': ['memberId', 'workspaceId'],
  'page.created': [
    'id',
    'title',
    'parent.id',
    'parent.title',
    'parent.pageType',
    'medias.fileUrl',
    'medias.thumbnailUrl',
    'medias.type',
  ],
  'page.updated': ['id', 'title', 'changes'],
  'page.deleted': ['id', 'title'],
}

/** Socket frames of the outside contract: service, sender, event, and the room of a server frame. */
export const documentedFrames = [
  'hotel client joinHotel',
  'hotel client settingsUpdated',
  'hotel server settings:updated hotel:{hotelId}',
  'hotel server subscription:status hotel:{hotelId}',
  'member client joinWorkspaces',
  'member client joinMember',
  'member server member:joined workspace:{workspaceId}',
  'member server role:updated member:{memberId}',
  'news client joinWorkspace',
  'news client subscribeToTypes',
  'news client joinPage',
  'news server page.created workspace:{workspaceId}',
  'news server comment.created page:{pageId}',
  'news server like.created page:{pageId}',
  'notification server notification:new member:{memberId}',
  'notification server notification:count workspace:{workspaceId}',
]
