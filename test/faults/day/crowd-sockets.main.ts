import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../../edge/live/client/client.js'

/* Holds the sockets of a crowd, for crowd-sockets.ts. */
const states: string[] = []
let openings = 0

async function open(url: string, tokens: string[]): Promise<void> {
  for (const [index, token] of tokens.entries()) {
    connect({
      url,
      token: () => token,
      state(state) {
        states[index] = state
        if (state === 'open') openings++
      },
    })
    if (index % 50 === 49) await sleep(100)
  }
  while (states.some(state => state !== 'open')) await sleep(100)
}

process.on('disconnect', () => process.exit())
process.on('message', async ({ url, tokens }: { url?: string; tokens: string[] }) => {
  if (url) await open(url, tokens)
  const count = states.filter(state => state === 'open').length
  process.send?.({ open: count, reconnected: openings - states.length })
})
