/** The push services of Chrome and its kin, Firefox, Safari and Edge. */
const knownServices = [
  'https://fcm.googleapis.com',
  // Of Chromium.
  'https://jmt17.google.com',
  'https://*.push.services.mozilla.com',
  'https://*.push.apple.com',
  'https://*.notify.windows.com',
]

/**
 * Recognises the push service of an address; undefined for another address. Browsers name the address that the platform
 * then calls, so that only known services are accepted, and never an address inside the network [D468].
 * @param furtherServices origins; `*` stands for any subdomain
 */
export function pushServiceFinder(furtherServices: readonly string[]): (endpoint: string) => string | undefined {
  const services = [...knownServices, ...furtherServices].map(service => ({
    name: service.replace(/^https?:\/\/(\*\.)?/, ''),
    pattern: new RegExp(`^${service.replaceAll('.', '\\.').replaceAll('*', '[a-z0-9.-]+')}$`),
  }))
  return endpoint => {
    if (!URL.canParse(endpoint)) return undefined
    const { origin, username, password } = new URL(endpoint)
    return username || password ? undefined : services.find(({ pattern }) => pattern.test(origin))?.name
  }
}
