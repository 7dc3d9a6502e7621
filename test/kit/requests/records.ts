import { strict as assert } from 'node:assert'
import type { DescField } from '@bufbuild/protobuf'
import { call } from '../../../cli/tour/client.ts'
import type { RestService } from '../../../edge/catalogue.ts'
import type { Endpoint } from './requests.ts'
import type { Hotel, TwoHotels } from '../platform/two-hotels.ts'

const kinds = [
  'category',
  'page',
  'comment',
  'template',
  'invitation',
  'member',
  'team',
  'department',
  'role',
  'credential',
  'setting',
  'file',
] as const
type Kind = (typeof kinds)[number]

/** One record of every kind in a hotel. */
export type Records = Record<Kind, string>

/** The kind of record of the id in a route's path, by the first matching path. */
const paths: [path: RegExp, kind: Kind][] = [
  [/^\/api\/v1\/comments\/\{/, 'comment'],
  [/^\/api\/v1\/categories\/\{/, 'category'],
  [/from-template|^\/api\/v1\/templates\/\{/, 'template'],
  [/\/(pages|page|likes|polls|must-read|page-preferences|views|pins)\b.*\{(id|page_id)\}/, 'page'],
  [/^\/onboarding\/(cancel|resend)/, 'invitation'],
  [/^\/(members|settings\/member|export\/member)\b.*\{id\}/, 'member'],
  [/^\/teams\b.*\{id\}/, 'team'],
  [/^\/departments\b.*\{id\}/, 'department'],
  [/^\/roles\/\{id\}/, 'role'],
  [/^\/ecosystem\/credentials\/\{id\}/, 'credential'],
  [/^\/setting\b.*\{id\}/, 'setting'],
  [/^\/media\/files\/\{id\}/, 'file'],
]

/** The record that a route's path would name. */
export const recordIn = (records: Records, { route }: Endpoint): string | undefined => {
  const kind = paths.find(([path]) => path.test(route.path))?.[1]
  return kind && records[kind]
}

const byField: Record<string, Kind> = {
  page_id: 'page',
  category_id: 'category',
  template_id: 'template',
  leader_id: 'member',
  manager_id: 'member',
  superior: 'member',
  member_id: 'member',
  setting_id: 'setting',
}

/** The record that a body's field would name; a parent is a page's page and a comment's comment. */
export const recordFor = (records: Records, field: DescField): string | undefined => {
  if (field.name === 'parent_id') {
    const { typeName } = field.parent
    return typeName.includes('Comment')
      ? records.comment
      : typeName.includes('Page')
        ? records.page
        : records.department
  }
  const kind = byField[field.name]
  return kind && records[kind]
}

/** Creates the records as the hotel's administrator. */
export async function recordsOf({ world }: TwoHotels, hotel: Hotel): Promise<Records> {
  const { token, workspace: workspaceId, ecosystem: ecosystemId } = hotel
  const make = async (service: RestService, path: string, body: object): Promise<string> => {
    const answer = await call(world.urls, service, 'POST', path, { token, body })
    assert.equal(answer.status, 201, `POST ${path}: ${JSON.stringify(answer.body)}`)
    return String(answer.body['id'])
  }
  const name = `Only ours ${Math.random().toString(36).slice(2)}`
  const slug = name.toLowerCase().replaceAll(' ', '-')
  const category = await make('news', '/api/v1/categories', { name, slug, color: '#1E40AF', workspaceId })
  const article = { content: {}, excerpt: '', pageType: 'article', categoryId: category, workspaceId, status: 'draft' }
  const page = await make('news', '/api/v1/pages', { ...article, title: name })
  await call(world.urls, 'news', 'POST', `/api/v1/pages/${page}/publish`, { token })
  const invited = {
    email: `${slug}@phare.example`,
    firstName: 'N',
    lastName: 'N',
    workspaceId,
    ecosystemId,
    workspaceRole: 'member',
    permissions: [],
  }
  const me = await call(world.urls, 'auth', 'GET', '/users/me', { token })
  const shown = await call(world.urls, 'hotel', 'GET', `/hotel/get/${ecosystemId}`, { token })
  const records: Records = {
    category,
    page,
    comment: await make('news', '/api/v1/comments', { pageId: page, content: name, parentId: null }),
    template: await make('news', '/api/v1/templates', { workspaceId, name, content: {} }),
    invitation: await make('member', '/onboarding/invite', invited),
    member: String(me.body['memberId']),
    team: await make('member', '/teams', { workspaceId, name }),
    department: await make('member', '/departments', { workspaceId, name }),
    role: await make('member', '/roles', { workspaceId, name, slug }),
    credential: await make('auth', '/ecosystem/credentials', { ecosystemId, permissions: [] }),
    setting: String(shown.body['settings']?.['id']),
    file: await upload(world.urls.media, token),
  }
  for (const kind of kinds) assert.match(records[kind], /^[0-9a-f]{24}$/, `${kind}: ${records[kind]}`)
  return records
}

async function upload(url: string, token: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob(['minutes']), 'minutes.txt')
  const headers = { authorization: `Bearer ${token}` }
  const answer = await fetch(`${url}/media/upload`, { method: 'POST', headers, body: form })
  return String(((await answer.json()) as { id?: string }).id)
}
