/** The path below which the client is served; ends with a slash. */
export const basePath = new URL(document.baseURI).pathname

/** Whether pages are named in the fragment of the address, for hosts that serve one file alone. */
export const isHash = document.querySelector('meta[name=platform-routing]')?.getAttribute('content') === 'hash'

/** Address of a service's routes on this origin. */
export const serviceAddress = (name: string): string => `${basePath}services/${name}`

/** Address of the socket with the rooms of every service; the inbox has its own. */
export const socketAddress = new URL(`${basePath}services/ws`, location.origin).href.replace(/^http/, 'ws')
