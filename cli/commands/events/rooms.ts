import { connect, type Live } from '../../../edge/live/client/client.js'
import { urlsOf } from '../access.ts'
import { CommandError, exitCodes } from '../command.ts'
import type { Listener } from './listener.ts'

/** Pages whose comments and reactions are heard from the start; those that change later are added. */
const newestPages = 50

/** The first frame of a socket, and rooms that are left, are no events. */
const ownFrames = new Set(['ready', 'room:left'])

/** Shows the frames of every room of the hotel. */
export async function showFrames(listener: Listener): Promise<void> {
  const { ask, client, workspaceId, ending } = listener
  // Sockets wait for a platform that doesn't answer; a call ends the command.
  const { ecosystemId } = await client.member.getWorkspace({ id: workspaceId })
  const sockets = openSockets(listener)
  try {
    const listening = joinRooms(sockets, listener, ecosystemId).then(() =>
      ask.print(`Listening to workspace ${workspaceId}. Ctrl-C ends it.`),
    )
    await Promise.race([ending.promise, listening])
    await ending.promise
  } finally {
    for (const { live } of Object.values(sockets)) live.close()
  }
}

type Sockets = Record<'news' | 'member' | 'hotel' | 'notification', { live: Live; opened: Promise<void> }>

function openSockets({ ask, client, isChosen, show, ending }: Listener): Sockets {
  const urls = urlsOf(ask)
  const open = (name: keyof Sockets) => {
    const opening = Promise.withResolvers<void>()
    const live = connect({
      url: `${urls[name].replace(/^http/, 'ws')}/ws`,
      token: mustRenew => client.accessToken(mustRenew),
      on: (type, data) => {
        if (!ownFrames.has(type) && isChosen(type)) show({ type, timestamp: new Date().toISOString(), data })
      },
      state: (state, code, reason) => {
        if (state === 'open') opening.resolve()
        if (state === 'closed' && code !== 1000)
          ending.reject(new CommandError(`${urls[name]} closed: ${code} ${reason}`))
      },
    })
    return { live, opened: opening.promise }
  }
  return { news: open('news'), member: open('member'), hotel: open('hotel'), notification: open('notification') }
}

/** Joins every room of the hotel. Resolves when the sockets are in them. */
async function joinRooms(sockets: Sockets, listener: Listener, ecosystemId: string): Promise<void> {
  const { client, workspaceId, ending } = listener
  const socketList = Object.values(sockets)
  await Promise.all(socketList.map(({ opened }) => opened))
  const [news, member, hotel] = [sockets.news.live, sockets.member.live, sockets.hotel.live]
  const refuse = ({ message, statusCode = 0 }: Error & { statusCode?: number }) => {
    // After a failure of the server, the client tries again.
    if (statusCode < 500) ending.reject(new CommandError(`${statusCode} ${message}`, exitCodes.fault, statusCode))
  }
  news.join('joinWorkspace', workspaceId, refuse)
  member.join('joinWorkspaces', [workspaceId], refuse)
  const joinPage = (id: unknown) => void news.join('joinPage', id)
  for (const event of ['page.created', 'page.updated']) news.on(event, page => joinPage((page as { id: string }).id))
  hotel.join('joinHotel', ecosystemId)
  const { data } = await client.news.listPages({ workspaceId, limit: newestPages })
  for (const { id } of data) joinPage(id)
  // A socket answers in order.
  await Promise.all(socketList.map(({ live }) => live.send('ping')))
}
