import { setTimeout } from 'node:timers/promises'
import type { PlatformClient } from '../../edge/client/client.ts'
import { isProduction } from '../../services/kernel/process/mode.ts'
import { type CliCommand, CommandError, exitCodes, textOf } from './command.ts'
import { settingsOf } from './operator-settings.ts'
import { asPerson, personOptions, workspaceOf } from './person.ts'
import { suggestion } from './suggestion.ts'

type Site = { client: PlatformClient; workspaceId: string; pageId: string | undefined }
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
}

const names = Object.keys(triggers)

/** Makes an event happen by what causes it, so that people are notified as always. */
export const triggerCommand: CliCommand = {
  name: 'trigger',
  summary: 'makes an event happen by a real call, such as page.created, and prints what it made',
  words: ['event?'],
  options: {
    workspace: { value: 'id', help: 'where it happens; default: the hotel of the person' },
    page: { value: 'id', help: 'the page that is changed, commented or liked; default: a new one' },
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
    if (isProduction(settingsOf(ask.env)))
      throw new CommandError('In production, nothing is triggered: people would be notified.')
    const pageId = textOf(ask.optionValues, 'page')
    const data = await asPerson(ask, async client =>
      trigger({ client, workspaceId: await workspaceOf(ask, client), pageId }),
    )
    return { data, text: `${name}: ${JSON.stringify(data, null, 2)}` }
  },
}
