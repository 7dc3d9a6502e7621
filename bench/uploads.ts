import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { appenderOf } from '../services/kernel/base/appender.ts'
import { line, median } from './support/figures.ts'
import { bySize } from './support/size.ts'

const [rounds, megabytes] = bySize([9, 200], [5, 200], [1, 2])
/** As large as the pieces of a body that arrive from a socket. */
const chunk = Buffer.alloc(65_536, 'x')
const chunks = (megabytes * 1_000_000) / chunk.length

async function writeInBatches(file: string): Promise<void> {
  await using handle = await open(file, 'w')
  const appender = appenderOf(handle, { durable: true })
  for (let count = 0; count < chunks; count++) await appender.write(chunk)
  await appender.end()
}

async function writePlainly(file: string): Promise<void> {
  await using handle = await open(file, 'w')
  for (let count = 0; count < chunks; count++) await handle.write(chunk)
  await handle.datasync()
}

/** How long a durable file takes, against one write per chunk and a sync at the end. */
export async function benchUploads(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const file = join(folder, 'upload')
  const timeOf = async (write: (file: string) => Promise<void>) => {
    const began = performance.now()
    await write(file)
    const ms = performance.now() - began
    await rm(file)
    return ms
  }
  const [batched, plain, ratios] = [[] as number[], [] as number[], [] as number[]]
  for (let round = 0; round < rounds; round++) {
    const [batchedMs, plainMs] = [await timeOf(writeInBatches), await timeOf(writePlainly)]
    batched.push(batchedMs)
    plain.push(plainMs)
    ratios.push(batchedMs / plainMs)
  }
  await rm(folder, { recursive: true })
  return [
    line(`a durable file of ${megabytes} MB`, 'ms'),
    line('-', '-'),
    line('batches, synced while more arrives', median(batched).toFixed(0)),
    line('a write per chunk, a sync at the end', median(plain).toFixed(0)),
    line('ratio', `${median(ratios).toFixed(2)}×`),
  ].join('\n')
}
