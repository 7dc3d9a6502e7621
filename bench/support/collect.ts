/*
 * Loaded into a measured server first (--import, --expose-gc). Collects garbage on request, so that memory is compared
 * without uncollected garbage.
 */
process.on('message', (message: { type?: string }) => {
  if (message.type !== 'collect') return
  // The last-resort collection compacts and returns pages, as V8 does in an idle process.
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  process.send?.({ type: 'collected', heap: process.memoryUsage().heapUsed })
})
// The benchmark may fail: its servers end with it.
process.on('disconnect', () => process.exit())
// The channel must not keep the server alive.
process.channel?.unref()
