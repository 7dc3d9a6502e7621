import { getPriority, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import bcrypt from 'bcrypt'

/** A task of a hashing thread: hash a password, or compare one. */
export type Task = { password: string; cost: number } | { password: string; hash: string }

/*
 * Hashing occupies a core for about 50 ms, so shorter work goes first. On Linux priorities belong to threads; elsewhere
 * this would slow the whole process down.
 */
const niceness = 10
if (process.platform === 'linux') setPriority(0, Math.min(19, getPriority(0) + niceness))

parentPort?.on('message', (task: Task) => {
  const answer =
    'hash' in task ? bcrypt.compareSync(task.password, task.hash) : bcrypt.hashSync(task.password, task.cost)
  parentPort?.postMessage(answer)
})
