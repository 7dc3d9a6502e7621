import type { DescService } from '@bufbuild/protobuf'

/** The services, in starting order. Each one's RPC port is 4000 plus its place. */
export const serviceNames = ['auth', 'member', 'hotel', 'media', 'news', 'notification', 'payment'] as const
export type ServiceName = (typeof serviceNames)[number]

/** The service that implements a package: platform.member.v1 → member. */
export function ownerOf(service: DescService): ServiceName {
  const part = service.typeName.split('.')[1] ?? ''
  const name = { legacyauth: 'auth', access: 'member' }[part] ?? part
  const owner = serviceNames.find(serviceName => serviceName === name)
  if (!owner) throw new Error(`no service answers ${service.typeName}`)
  return owner
}
