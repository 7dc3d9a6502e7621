/*
 * Loaded into a measured server before anything else (--import, --expose-gc): collects when it is asked to, so that the
 * memory of two servers is compared without what either had not got round to freeing.
 */
process.on('message', (message: object) => {
  if (!('collect' in message)) return
  globalThis.gc?.()
  globalThis.gc?.()
  process.send?.({ heap: process.memoryUsage().heapUsed })
})
// The channel alone does not keep the server from ending.
process.channel?.unref()
