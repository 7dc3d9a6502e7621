/*
 * Loaded into a measured server before anything else (--import, --expose-gc): collects when it is asked to, so that the
 * memory of two servers is compared without what either had not got round to freeing.
 */
process.on('message', (message: object) => {
  if (!('collect' in message)) return
  // The last resort compacts and gives pages back, as V8 does by itself in a process that has nothing to do.
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' })
  process.send?.({ heap: process.memoryUsage().heapUsed })
})
// The channel alone does not keep the server from ending.
process.channel?.unref()
