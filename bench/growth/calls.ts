import { strict as assert } from 'node:assert'
import { createClient } from '@connectrpc/connect'
import type { Connection, RowDataPacket } from 'mysql2/promise'
import { AccessService } from '../../gen/platform/access/v1/access_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { remoteTransport } from '../../services/kernel/rpc/remote.ts'
import type { Platform } from '../../test/kit/platform/platform.ts'
import { request } from '../support/request.ts'
import { bulk, type SeededHotel } from './fills.ts'

export type TimedCall = {
  name: string
  /** @returns the time that the call took, in ms */
  run(): Promise<number>
}

/** A platform whose growing tables have `rowCount` rows, and its measured hotel with the administrator's token. */
export type GrowthPlatform = { platform: Platform; hotel: SeededHotel; token: string; rowCount: number }

async function measure(run: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await run()
  return performance.now() - began
}

const reader = (target: GrowthPlatform, url: string, isExpected: (body: Answer) => boolean) => () =>
  measure(async () => {
    const body = JSON.parse(await request(url, { token: target.token })) as Answer
    assert.ok(isExpected(body), `${url}: ${JSON.stringify(body).slice(0, 300)}`)
  })

type Answer = {
  data?: unknown[]
  meta?: { total: number }
  members?: unknown[]
  subordinates?: unknown[]
  id?: string
  count?: number
  cursor?: string
}

const write = (target: GrowthPlatform, url: string, body: object) => request(url, { token: target.token, body })

/** A draft that is then published. @returns the time of the publication in ms, until `waitUntilDone` */
async function publish(
  target: GrowthPlatform,
  waitUntilDone: () => Promise<unknown> = async () => {},
): Promise<number> {
  const url = `${target.platform.urls.news}/api/v1/pages`
  const { workspaceId } = target.hotel
  const draft = { workspaceId, title: 'The spa opens again', content: { blocks: [] } }
  const { id } = JSON.parse(await write(target, url, draft)) as { id: string }
  return measure(async () => {
    await write(target, `${url}/${id}/publish`, {})
    await waitUntilDone()
  })
}

export function newsCalls(target: GrowthPlatform): TimedCall[] {
  const { platform, hotel, rowCount } = target
  const url = `${platform.urls.news}/api/v1`
  const { idOf } = bulk(rowCount)
  const pageId = idOf('page', rowCount)
  let likeCount = 0
  return [
    {
      name: 'feed',
      run: reader(target, `${url}/pages?workspaceId=${hotel.workspaceId}`, ({ data }) => data?.length === 20),
    },
    { name: 'page, with its view', run: reader(target, `${url}/pages/${pageId}`, ({ id }) => id === pageId) },
    {
      name: 'comments',
      run: reader(target, `${url}/comments/page/${pageId}`, ({ data }) => (data?.length ?? 0) >= 50),
    },
    {
      name: 'comment',
      // Not on the page whose comments are read, which would grow by the measurement.
      run: () =>
        measure(() => write(target, `${url}/comments`, { pageId: idOf('page', rowCount - 10), content: 'Lovely.' })),
    },
    {
      name: 'like',
      run: () => {
        const page = idOf('page', rowCount - 10 * (++likeCount % (rowCount / 10)))
        return measure(() => write(target, `${url}/likes`, { pageId: page, reactionType: 'like' }))
      },
    },
    { name: 'publish to 1,000, answer', run: () => publish(target) },
  ]
}

export function notificationCalls(target: GrowthPlatform, db: Connection): TimedCall[] {
  const url = `${target.platform.urls.notification}/api/v1/notifications`
  const [receiver = ''] = target.hotel.memberIds
  const loadNewestId = async (): Promise<string> => {
    const [[row]] = await db.query<RowDataPacket[]>(
      'select max(notification_id) as id from receivers where member_id = ?',
      [receiver],
    )
    return String(row?.['id'] ?? '')
  }
  return [
    { name: 'inbox page', run: reader(target, url, ({ data }) => data?.length === 20) },
    { name: 'unread count', run: reader(target, `${url}/unread-count`, ({ count }) => Number(count) > 0) },
    {
      name: 'publish to 1,000, all stored',
      async run() {
        const before = await loadNewestId()
        return publish(target, async () => {
          while ((await loadNewestId()) === before) await new Promise(resolve => setTimeout(resolve, 1))
        })
      },
    },
  ]
}

export function memberCalls(target: GrowthPlatform): TimedCall[] {
  const { platform, hotel } = target
  const url = platform.urls.member
  const { workspaceId, memberId } = hotel
  const transport = remoteTransport(platform.env['MEMBER_RPC_URL'] ?? '')
  const rights = createClient(AccessService, transport)
  const headers = { 'x-api-key': platform.env['SERVICE_API_KEY'] ?? '' }
  const list = `${url}/members/get/all?workspaceId=${workspaceId}`
  const part = hotel.memberIds[500]?.slice(-4) ?? ''
  let cursor = ''
  return [
    {
      name: 'effective rights',
      run: () =>
        measure(async () => {
          const access = await rights.getAccess({ memberId }, { headers })
          assert.ok(access.workspaces.some(one => one.workspaceId === workspaceId))
        }),
    },
    { name: 'member list', run: reader(target, list, ({ data }) => data?.length === 20) },
    { name: 'member search', run: reader(target, `${list}&search=${part}`, ({ data }) => (data?.length ?? 0) > 0) },
    {
      name: 'hierarchy',
      run: reader(target, `${url}/members/hierarchy/${memberId}`, ({ subordinates }) => subordinates?.length === 10),
    },
    {
      name: 'audit',
      run: reader(target, `${url}/audit/workspace/${workspaceId}`, ({ data }) => data?.length === 20),
    },
    {
      name: 'sync',
      async run() {
        if (cursor === '') cursor = await syncMembers(target, { workspaceId })
        return measure(() => syncMembers(target, { workspaceId, cursor }))
      },
    },
    {
      name: 'invite',
      run: () => {
        const body = { workspaceId, email: `${newId()}@growth.example`, workspaceRole: 'member' }
        return measure(() => write(target, `${url}/onboarding/invite`, body))
      },
    },
  ]
}

async function syncMembers(target: GrowthPlatform, body: object): Promise<string> {
  const { cursor } = JSON.parse(await write(target, `${target.platform.urls.member}/sync/members`, body)) as Answer
  assert.ok(cursor)
  return cursor
}
