import type { DescField, DescMessage, DescMethod } from '@bufbuild/protobuf'
import { type Access, Scope } from '../../../gen/platform/options/v1/options_pb.ts'
import type { ExampleWorld } from './example-world.ts'
import { isId } from './minimal-body.ts'

/** A maker's record, with the record that it belongs to where a request names both. */
type RecordIds = string | Record<string, string>
type Make = (world: ExampleWorld) => Promise<RecordIds> | RecordIds

/** Makes a new record of each kind in a hotel. The tests of refusals need a maker for each record that an id names. */
const makers = {
  workspace: world => world.workspaceId,
  ecosystem: world => world.ecosystemId,
  category: async world => {
    const category = await world.category()
    await world.page('published', 'article', { categoryId: category })
    return category
  },
  page: world => world.page(),
  comment: async world => {
    const page = await world.page()
    return { page, comment: await world.comment(undefined, page) }
  },
  template: world => world.template(),
  revision: async world => {
    const page = await world.page()
    return { page, revision: await world.revision(page) }
  },
  option: async world => {
    const page = await world.page('published', 'poll')
    return { page, option: await world.option(page) }
  },
  invitation: world => world.invitation(),
  accountInvitation: world => world.accountInvitation(),
  member: world => world.member(),
  account: async world => (await world.colleague()).userId,
  administrator: async world => (await world.me()).memberId,
  address: async world => (await world.me()).email,
  team: async world => (await world.groupOfOne('team')).id,
  department: async world => (await world.groupOfOne('department')).id,
  role: world => world.role(),
  credential: world => world.credential(),
  session: world => world.session(),
  setting: async world => String((await world.shownHotel())['settings']?.['id']),
  group: async world => String((await world.shownHotel())['group']?.['id']),
  customer: async world => String((await world.shownHotel())['payment_customer_id']),
  file: world => world.file(),
  notification: async world => world.notify(await world.me()),
  device: world => world.device(),
  webhook: world => world.webhook(),
  delivery: async world => {
    const webhook = await world.webhook()
    return { webhook, delivery: await world.delivery(webhook) }
  },
} satisfies Record<string, Make>

export type RecordKind = keyof typeof makers
export type Records = Record<RecordKind, string>
export const kinds = Object.keys(makers) as RecordKind[]

/** What a request's field names: by RPC service and field, or by the field alone. */
const kindByField: Record<string, RecordKind> = {
  workspace_id: 'workspace',
  default_workspace_id: 'workspace',
  ecosystem_id: 'ecosystem',
  hotel_id: 'ecosystem',
  member_id: 'member',
  member_ids: 'member',
  receiver_ids: 'member',
  leader_id: 'member',
  manager_id: 'member',
  actor_id: 'administrator',
  superior: 'member',
  team_id: 'team',
  department_id: 'department',
  page_id: 'page',
  category_id: 'category',
  template_id: 'template',
  option_ids: 'option',
  setting_id: 'setting',
  group_id: 'group',
  customer_id: 'customer',
  notification_id: 'notification',
  'AccountService.user_id': 'account',
  'AccountSupportService.user_id': 'account',
  'AnalyticsService.id': 'page',
  'CategoryService.id': 'category',
  'CommentService.id': 'comment',
  'CommentService.parent_id': 'comment',
  'CredentialService.id': 'credential',
  'DepartmentService.id': 'department',
  'DepartmentService.parent_id': 'department',
  'ExportService.id': 'member',
  'GroupService.id': 'group',
  'InvitationService.id': 'accountInvitation',
  'MediaService.id': 'file',
  'MemberService.id': 'member',
  'MemberSettingsService.id': 'member',
  'NotificationService.id': 'notification',
  'OnboardingService.id': 'invitation',
  'PageService.id': 'page',
  'PageService.parent_id': 'page',
  'ProfileService.email': 'address',
  'RevisionService.id': 'revision',
  'RoleService.id': 'role',
  'SessionService.id': 'session',
  'SessionService.member_id': 'administrator',
  'SettingService.id': 'setting',
  'SubscriptionService.device_token': 'device',
  'TeamService.id': 'team',
  'TemplateService.id': 'template',
  'WebhookService.delivery_id': 'delivery',
  'WebhookService.id': 'webhook',
}

/** Ids and path parameters that name no hotel's record, and why. */
const ofNoHotel: Record<string, string> = {
  city: 'a place, not a record',
  permission_slug: 'permissions are those of the platform',
  slug: 'the texts of notifications are those of the platform',
  type_id: 'types of hotels are the same for all',
}

/** A route, or an RPC with its access option in that form. */
export type Subject = { route: { method: DescMethod }; access: Access }

/** What kind of record a field of a request names; undefined if none. */
export function kindOf({ route: { method }, access }: Subject, field: DescField): RecordKind | undefined {
  if (access.scopeField !== '' && field.name === access.scopeField)
    return access.scope === Scope.WORKSPACE ? 'workspace' : 'ecosystem'
  return kindByField[`${method.parent.name}.${field.name}`] ?? kindByField[field.name]
}

/** The record that a field of a request would name. */
export const recordFor = (records: Partial<Records>, subject: Subject, field: DescField): string | undefined => {
  const kind = kindOf(subject, field)
  return kind && records[kind]
}

/**
 * The fields of a request that name records, each with the fields that lead to it: ids by their rules or their names,
 * and the parameters of the path.
 */
export function namingFields(input: DescMessage, pathFields: DescField[], depth = 0): DescField[][] {
  return input.fields.flatMap(field => {
    if (field.message && field.fieldKind !== 'map' && depth < 3 && field.message.typeName.startsWith('platform.'))
      return namingFields(field.message, [], depth + 1).map(chain => [field, ...chain])
    const isText = field.fieldKind === 'scalar' || (field.fieldKind === 'list' && field.listKind === 'scalar')
    const namesRecord = isId(field) || /(^|_)ids?$/.test(field.name) || pathFields.includes(field)
    return isText && namesRecord && !(field.name in ofNoHotel) ? [[field]] : []
  })
}

/** What to do about a field of which no test knows what it names. */
export const howToName = ({ route: { method } }: Subject, field: DescField): string =>
  `${field.name} names a record that no test makes: add '${method.parent.name}.${field.name}' to kindByField, and its ` +
  'maker to makers, in test/kit/requests/records.ts'

/** Makes a record, and returns it with those that it belongs to. */
export async function makeRecord(world: ExampleWorld, kind: RecordKind): Promise<Partial<Records>> {
  const ids: RecordIds = await makers[kind](world)
  const records = typeof ids === 'string' ? { [kind]: ids } : ids
  if (!records[kind] || records[kind] === 'undefined') throw new Error(`${kind} was not made: ${JSON.stringify(ids)}`)
  return records
}

/** A record of each of these kinds. */
export async function recordsOf<K extends RecordKind = RecordKind>(
  world: ExampleWorld,
  recordKinds: readonly K[] = kinds as K[],
): Promise<Pick<Records, K>> {
  const entries = await Promise.all(
    recordKinds.map(async kind => [kind, (await makeRecord(world, kind))[kind]] as const),
  )
  return Object.fromEntries(entries) as Pick<Records, K>
}
