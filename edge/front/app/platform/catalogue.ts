/** The REST services that the client calls. */
export const services = ['auth', 'member', 'hotel', 'media', 'news', 'notification', 'payment'] as const
