import { create, toJson as protobufJson } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { ListPagesResponseSchema } from '../gen/platform/news/v1/pages_pb.ts'
import { accessTokens } from '../services/kernel/access/tokens.ts'
import { newId } from '../services/kernel/base/ids.ts'
import { encoderOf } from '../services/kernel/json/encode.ts'
import { median } from './support/figures.ts'
import { sized } from './support/size.ts'

/** Batches before the counted ones: they compile the code, and grow the young generation of the heap. */
const warmUps = sized(6, 6, 1)

/** Microseconds per call: medians of nine batches, the contenders in turn. */
function inTurn(contenders: Record<string, () => unknown>, calls: number): Record<string, number> {
  const times: Record<string, number[]> = Object.fromEntries(Object.keys(contenders).map(name => [name, []]))
  for (let batch = 0; batch < warmUps + 9; batch++) {
    for (const [name, run] of Object.entries(contenders)) {
      const started = performance.now()
      for (let i = 0; i < calls; i++) run()
      if (batch >= warmUps) times[name]?.push(((performance.now() - started) * 1000) / calls)
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, all]) => [name, median(all)]))
}

const line = (name: string, us: number) =>
  `| ${name} | ${us.toFixed(1)} | ${Math.round(1e6 / us).toLocaleString('en')} |`
const head = '| operation | µs | per second |\n|-|-|-|\n'

/** The cost of checking an access token: a new one, and a cached one. */
export function benchToken(): string {
  const secrets = ['a-secret-of-the-benchmark']
  const tokens = accessTokens(secrets)
  const permissions = Array.from({ length: 19 }, (_, index) => `permission_${index}`)
  const claims = {
    userId: newId(),
    email: 'ada@hotel.example',
    isAdmin: false,
    memberId: newId(),
    workspaceId: newId(),
    roles: ['admin'],
    permissions,
    kind: 'modern' as const,
    sessionId: newId(),
  }
  const token = tokens.issue(claims, 900)
  // More tokens than the cache holds: each recurs after its eviction.
  const many = Array.from({ length: 12_000 }, () => tokens.issue(claims, 900))
  let next = 0
  const times = inTurn(
    { first: () => tokens.verify(many[next++ % many.length] ?? ''), again: () => tokens.verify(token) },
    12_000,
  )
  return [
    head + line('verify an access token with 19 permissions, never seen', times['first'] ?? 0),
    line('verify the same token again', times['again'] ?? 0),
  ].join('\n')
}

/** The platform's JSON form of a list against the library's. */
export function benchJson(): string {
  const now = timestampFromDate(new Date())
  const media = { fileUrl: 'https://media.example/1.jpg', thumbnailUrl: 'https://media.example/1-t.jpg', type: 'image' }
  const page = (index: number) => ({
    id: newId(),
    title: `Weekly news number ${index}`,
    excerpt: 'The spa closes at nine tonight.',
    pageType: 'article',
    status: 'published',
    publishedAt: now,
    createdBy: { firstName: 'Ada', lastName: 'Chef' },
    category: { name: 'Service', icon: '🛎️' },
    medias: [media],
  })
  const message = create(ListPagesResponseSchema, {
    data: Array.from({ length: 20 }, (_, index) => page(index)),
    meta: { total: 10_000, page: 1, limit: 20, totalPages: 500 },
  })
  const encode = encoderOf(ListPagesResponseSchema)
  const times = inTurn(
    {
      ours: () => JSON.stringify(encode(message)),
      library: () => JSON.stringify(protobufJson(ListPagesResponseSchema, message, { alwaysEmitImplicit: true })),
    },
    2_000,
  )
  const ratio = (times['library'] ?? 0) / (times['ours'] ?? 1)
  return [
    head + line('list of 20 pages, our encoder + JSON.stringify', times['ours'] ?? 0),
    line('list of 20 pages, toJson + JSON.stringify', times['library'] ?? 0),
    `\ntoJson takes ${ratio.toFixed(2)} times as long as ours.`,
  ].join('\n')
}
