import { once } from 'node:events'
import { WebSocket } from 'ws'

/*
 * Opens sockets in a separate process and counts `notification:new` by page: how many sockets received it, and how
 * often one received it again.
 */
type Order = { open: { url: string; tokens: string[] } } | { report: string }
export type Heard = { sockets: number; again: number; closed: number }

/** By page id, the sockets that have been told of it. */
const receiversByPage = new Map<string, Set<number>>()
const again = new Map<string, number>()
let closed = 0

async function open(url: string, token: string, index: number): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
  socket.on('message', (message: Buffer) => {
    const { event, data } = JSON.parse(message.toString()) as { event: string; data: { data?: { id?: string } } }
    const pageId = data?.data?.id
    if (event !== 'notification:new' || !pageId) return
    const receivers = receiversByPage.get(pageId) ?? new Set()
    receiversByPage.set(pageId, receivers)
    if (receivers.has(index)) again.set(pageId, (again.get(pageId) ?? 0) + 1)
    receivers.add(index)
  })
  socket.on('close', () => closed++)
  socket.on('error', () => undefined)
  await once(socket, 'open')
}

process.on('disconnect', () => process.exit())
async function openAll({ url, tokens }: { url: string; tokens: string[] }): Promise<void> {
  for (let from = 0; from < tokens.length; from += 50)
    await Promise.all(tokens.slice(from, from + 50).map((token, index) => open(url, token, from + index)))
  process.send?.({ opened: tokens.length })
}

function report(pageId: string): void {
  const heard: Heard = { sockets: receiversByPage.get(pageId)?.size ?? 0, again: again.get(pageId) ?? 0, closed }
  process.send?.(heard)
}

process.on('message', (order: Order) => void ('report' in order ? report(order.report) : openAll(order.open)))
