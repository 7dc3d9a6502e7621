import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** A young collection for so many bytes: well before V8 would begin one of the whole heap. */
const everyBytes = 16 * 1024 * 1024
let passed = 0
let collect: ((options: { type: 'minor' }) => void) | undefined

/**
 * Says that a buffer of a stream was let go. V8 sees only that much lies outside its heap and walks the whole of it for
 * every 32 MB; a collection of what is young takes a third of a millisecond and frees the same buffers. It halves what
 * large uploads cost (bench/README.md).
 */
export function bytesPassed(count: number): void {
  passed += count
  if (passed < everyBytes) return
  passed = 0
  collect ??= exposed()
  collect({ type: 'minor' })
}

function exposed(): (options: { type: 'minor' }) => void {
  setFlagsFromString('--expose-gc')
  const gc: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return typeof gc === 'function' ? options => void gc(options) : () => undefined
}
