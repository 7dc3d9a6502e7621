import { exampleId, moment, token } from './example-values.ts'

/** Example fields of single operations that differ from the general values. Null omits one. */
export const ofOperation: Record<string, Record<string, unknown>> = {
  'auth.AcceptInvitation': { password: 'correct horse battery staple' },
  'auth.ChangePassword': { currentPassword: 'correct horse battery staple' },
  'auth.DeleteMe': { password: 'correct horse battery staple' },
  'auth.VerifyEmail': { token, password: 'another horse battery 8' },
  'auth.CreateCredential': { permissions: ['manage_ecosystem'] },
  'auth.SendInvitation': { email: 'bo@hotel.example', firstName: 'Bo', lastName: 'Bell', workspaceId: exampleId },
  'hotel.CreateHotel': { name: 'Hôtel du Port', email: 'contact@hotel.example' },
  'hotel.CreateGroup': { name: 'Groupe de la Côte' },
  'hotel.UpdateGroup': { name: 'Groupe de la Côte' },
  'hotel.CreateType': { name: 'resort', description: 'By the sea' },
  'hotel.UpdateType': { name: 'resort', description: 'By the sea' },
  'hotel.UpdateHotel': { name: 'Hôtel du Port' },
  'hotel.CreateChatApp': { name: 'Hôtel du Port' },
  'payment.CreateCustomer': { name: 'Hôtel du Port', email: 'contact@hotel.example' },
  'legacyauth.Login': { email: 'ada@hotel.example', password: 'correct horse battery staple' },
  'legacyauth.LoginAsAdmin': { email: 'root@hotel.example', password: 'correct horse battery staple' },
  'legacyauth.SetLoginData': { isFirstLogin: false },
  'legacyauth.ResetPassword': { code: '123456', hashedToken: token },
  'legacyauth.CheckResetCode': { code: '123456' },
  'legacyauth.CheckResetRequest': { hashedToken: token },
  'member.BulkAddMembers': {
    workspaceId: exampleId,
    members: [{ firstName: 'Bo', lastName: 'Bell', email: 'bo@hotel.example', workspaceRole: 'member' }],
  },
  'member.BulkAssignPermissions': { workspaceId: exampleId, memberIds: [exampleId], permissions: ['view_members'] },
  'member.BulkUpdateRoles': {
    workspaceId: exampleId,
    members: [{ memberId: exampleId, workspaceRole: 'member' }],
  },
  'member.CreateDepartment': { workspaceId: exampleId },
  'member.CreateMember': { workspaceId: exampleId },
  'member.SyncMembersAlias': { workspaceId: exampleId },
  'member.SyncMembers': { workspaceId: exampleId },
  'member.Invite': {
    email: 'bo@hotel.example',
    firstName: 'Bo',
    lastName: 'Bell',
    workspaceId: exampleId,
    ecosystemId: exampleId,
  },
  'member.CreatePermission': {
    slug: 'view_rota',
    name: 'See the rota',
    description: 'Who works when',
    category: 'analytics',
    resource: 'rota',
  },
  'member.CreateRole': { workspaceId: exampleId, slug: 'front-office', permissions: ['view_members'] },
  'member.CreateWorkspace': { name: 'Spa', description: null },
  'member.UpdateWorkspace': { name: 'Spa', description: null },
  'member.AddTeamMember': { role: 'member' },
  'news.SetPoll': { question: 'Where do we eat?', options: ['On the terrace', 'In the kitchen'] },
  'news.UpdatePage': { title: 'The spa closes at ten' },
  'news.CreatePageFromTemplate': { title: 'The spa closes at nine' },
  'news.SetMustRead': { dueAt: '2099-12-31T18:00:00.000Z' },
  'news.SyncMembers': { workspaceId: exampleId },
  'notification.SendNotification': { workspaceId: exampleId },
  'notification.PreviewTemplate': { workspaceId: exampleId, slug: 'page_created' },
  'notification.TestTemplate': { workspaceId: exampleId, slug: 'page_created' },
  'notification.RegisterDevice': { workspaceId: exampleId, deviceType: 'android' },
  'notification.UpdatePreferences': {
    isGlobalSilent: null,
    quietHours: { enabled: true, start: '22:00', end: '07:00', timezone: 'Europe/Paris' },
  },
}

const hotelName = 'Hôtel du Port'
const hotel = { name: hotelName, email: 'contact@hotel.example' }
const group = { name: 'Groupe de la Côte', description: 'Hotels of the coast' }
const type = { name: 'resort', description: 'By the sea', icon: '🏖️' }
const setup = { status: 'completed', error: null }
const file = {
  fileUrl: `https://media.hotel.example/media/files/${exampleId}`,
  thumbnailUrl: `https://media.hotel.example/media/files/${exampleId}?variant=thumbnail`,
  size: 48213,
  width: 1200,
  height: 800,
}
const subscription = { id: 'sub_Q2xhaXJlQ29y', status: 'trial', cancelAtPeriodEnd: false, cancelledAt: null }
const customer = { ...hotel, id: 'cus_Q2xhaXJlQ29y' }

/** Like `ofOperation`, for answers: fields of the record, or of the listed ones. */
export const ofAnswer: Record<string, Record<string, unknown>> = {
  'hotel.CreateHotel': hotel,
  'hotel.ListHotels': { name: hotelName },
  'hotel.GetHotel': hotel,
  'hotel.UpdateHotel': { name: hotelName },
  'hotel.DeleteHotel': { message: 'Hotel deleted' },
  'hotel.RestoreHotel': { message: 'Hotel restored' },
  'hotel.CreateGroup': { ...group, hotelsCount: 0 },
  'hotel.ListGroups': group,
  'hotel.GetGroup': group,
  'hotel.UpdateGroup': group,
  'hotel.DeleteGroup': { message: 'Group deleted' },
  'hotel.CreateType': type,
  'hotel.ListTypes': type,
  'hotel.UpdateType': type,
  'hotel.DeleteType': { message: 'Type deleted' },
  'hotel.ListSetups': setup,
  'hotel.GetSetup': setup,
  'hotel.ResumeSetup': { status: 'undoing', error: 'The chat provider failed' },
  'hotel.GetChatStats': { users_count: 42, channels_count: 7, messages_today: 318, active_users_today: 19 },
  'hotel.GetWeather': { country: 'FR', description: 'ciel dégagé', icon: '01d' },
  'media.UploadMedia': file,
  'media.ListMedia': file,
  'media.DeleteMedia': { message: 'File deleted' },
  'payment.CreateCustomer': customer,
  'payment.GetCustomer': customer,
  'payment.DeleteCustomer': { id: customer.id, message: 'Customer deleted' },
  'payment.AssignSubscription': subscription,
  'payment.CancelSubscription': { ...subscription, status: 'inactive', cancelledAt: moment },
  'payment.GetSubscription': subscription,
  'payment.ListPlans': { slug: 'premium', name: 'Premium', currency: 'eur' },
}
