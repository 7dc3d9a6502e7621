import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { type PlatformClient, platformClient } from '../../../edge/client/client.ts'
import type { Member } from '../../../gen/client/member.ts'
import { invitationToken } from '../../tour/client.ts'
import { refuseProduction, sandboxUrlOf, urlsOf } from '../access.ts'
import { type CliCommand, CommandError, type CommandRequest, exitCodes, textOf } from '../command.ts'
import { asPerson, personOptions, workspaceOf } from '../person.ts'
import { suggestion } from '../suggestion.ts'

type Site = { ask: CommandRequest; client: PlatformClient; workspaceId: string; pageId: string | undefined }
type Trigger = (site: Site) => Promise<object>

const title = 'Made by platform trigger'

/** Time for those who listen to join the room of a new page. */
const joinMs = 1_000

const createPage = ({ client, workspaceId }: Site) =>
  client.news.createPage({ body: { workspaceId, title, content: { blocks: [] }, status: 'published' } })

/** Causes an event by doing something to the given page, or to a new one. */
const onPage =
  (act: (news: PlatformClient['news'], pageId: string) => Promise<object>): Trigger =>
  async site => {
    if (site.pageId !== undefined) return act(site.client.news, site.pageId)
    const { id } = await createPage(site)
    await setTimeout(joinMs)
    return act(site.client.news, id)
  }

const comment = (news: PlatformClient['news'], pageId: string) =>
  news.createComment({ body: { pageId, content: title } })

/** A person who joins at once. The invitation to sign up goes to an address of nobody's. */
const addMember = ({ client, workspaceId }: Site) => {
  const email = `trigger.${randomUUID()}@demo.example`
  return client.member.createMember({
    body: { workspaceId, email, firstName: 'Made by', lastName: 'platform trigger' },
  })
}

/** Causes an event by doing something to a new member. */
const onMember =
  (act: (site: Site, member: Member) => Promise<object>): Trigger =>
  async site =>
    act(site, await addMember(site))

/** Signs up and accepts, as a person does with the link of the invitation. */
async function register({ ask }: Site, { email }: Member): Promise<object> {
  const token = await invitationToken(sandboxUrlOf(ask.env), email)
  const person = platformClient({ addresses: urlsOf(ask) })
  person.keepTokens(await person.auth.signUp({ body: { token, password: randomUUID() } }))
  try {
    return await person.member.acceptInvitation({ token, body: {} })
  } finally {
    await person.signOut()
  }
}

/** Changes nothing: the name stays. */
async function updateHotel({ client, workspaceId }: Site): Promise<object> {
  const { ecosystemId } = await client.member.getWorkspace({ id: workspaceId })
  const { id, name } = await client.hotel.getHotel({ id: ecosystemId })
  return client.hotel.updateHotel({ id, body: { name } })
}

/** What causes each event. */
const triggers: Record<string, Trigger> = {
  'page.created': createPage,
  'page.updated': onPage((news, id) => news.updatePage({ id, body: { title: `${title}, updated` } })),
  'page.deleted': onPage((news, id) => news.deletePage({ id })),
  'comment.created': onPage(comment),
  'comment.deleted': onPage(async (news, pageId) => news.deleteComment({ id: (await comment(news, pageId)).id })),
  'like.created': onPage((news, pageId) => news.createLike({ body: { pageId } })),
  'like.deleted': onPage(async (news, pageId) => {
    await news.createLike({ body: { pageId } })
    return news.deleteLike({ pageId })
  }),
  'workspace.member_joined': addMember,
  'workspace.member_left': onMember(({ client, workspaceId }, { id }) =>
    client.member.removeWorkspaceMember({ workspaceId, memberId: id }),
  ),
  'member.registered': onMember(register),
  'member.updated': onMember(({ client }, { id }) =>
    client.member.updateMember({ id, body: { firstName: 'Changed by' } }),
  ),
  'member.deleted': onMember(({ client }, { id }) => client.member.deleteMember({ id })),
  'hotel.updated': updateHotel,
}

const names = Object.keys(triggers)

/** Makes an event happen by what causes it, so that people are notified as always. */
export const triggerCommand: CliCommand = {
  name: 'trigger',
  summary: 'makes an event happen by a real call, such as page.created, and prints what it made',
  words: ['event?'],
  options: {
    workspace: { value: 'id', help: 'where it happens; default: the hotel of the person' },
    page: { value: 'id', help: 'the page that is changed, deleted, commented or liked; default: a new one' },
    ...personOptions,
  },
  async run(ask) {
    const [name = ''] = ask.words
    const trigger = triggers[name]
    if (!trigger)
      throw new CommandError(
        `${name ? `Unknown event: ${name}.${suggestion(name, names)}` : 'Name an event.'} Events: ${names.join(', ')}.`,
        exitCodes.usage,
      )
    refuseProduction(ask, 'nothing is triggered: people would be notified.')
    const pageId = textOf(ask.optionValues, 'page')
    const data = await asPerson(ask, async client =>
      trigger({ ask, client, workspaceId: await workspaceOf(ask, client), pageId }),
    )
    return { data, text: `${name}: ${JSON.stringify(data, null, 2)}` }
  },
}
