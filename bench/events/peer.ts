import { createRequire } from 'node:module'
import { createPool, type Pool, type PoolConnection, type ResultSetHeader } from 'mysql2/promise'
import { newId } from '../../services/kernel/base/ids.ts'
import { startSockets } from './peer-sockets.ts'

/*
 * What a team would write with BullMQ, or with amqplib on RabbitMQ. A publish is one durable job that names the
 * workspace. The worker looks up its members, inserts a notification and a row per member with one multi-row statement
 * in one transaction, and then notifies their sockets. It has no counters and no preferences. For its tables see
 * peer-tables.ts.
 */
type Order = { publish: number; inFlight: number }
type Happening = { workspaceId: string; id: string; title: string }

const {
  PEER = '',
  PEERS_FOLDER = '',
  BROKER_PORT = '',
  DATABASE = '',
  TABLES = '',
  WORKSPACE = '',
  CONCURRENCY = '1',
} = process.env
const concurrency = Number(CONCURRENCY)
const require = createRequire(`${PEERS_FOLDER}/`)
const queueName = `events-${process.pid}`

const sockets = await startSockets(PEERS_FOLDER)
const pool: Pool = createPool({ uri: DATABASE, connectionLimit: 10, timezone: 'Z', supportBigNumbers: true })

async function store(happening: Happening): Promise<void> {
  const [members] = await pool.execute('select id from members where workspace_id = ?', [happening.workspaceId])
  const memberIds = (members as { id: string }[]).map(member => member.id)
  const connection = await pool.getConnection()
  try {
    await connection.beginTransaction()
    const id = await (TABLES === 'ours' ? insertIntoOurs : insertIntoTheirs)(connection, happening, memberIds)
    await connection.commit()
    const { title } = happening
    const news = {
      id,
      type: 'page',
      category: 'created',
      title: titleOf(happening),
      body: title,
      createdAt: new Date(),
    }
    sockets.tell(memberIds, news)
  } catch (error) {
    await connection.rollback()
    throw error
  } finally {
    connection.release()
  }
}

type Insert = (connection: PoolConnection, happening: Happening, memberIds: string[]) => Promise<string>

const titleOf = ({ title }: Happening): string => `Ada Chef a publié ${title}`

const insertIntoTheirs: Insert = async (connection, happening, memberIds) => {
  const [{ insertId }] = await connection.execute<ResultSetHeader>(
    'insert into notifications (workspace_id, kind, payload) values (?, ?, ?)',
    [happening.workspaceId, 'page.created', JSON.stringify(happening)],
  )
  const rows = memberIds.map(memberId => [insertId, memberId])
  await connection.query('insert into receivers (notification_id, member_id) values ?', [rows])
  return String(insertId)
}

const insertIntoOurs: Insert = async (connection, happening, memberIds) => {
  const id = newId()
  const title = titleOf(happening)
  const titleInEnglish = `Ada Chef has published ${happening.title}`
  await connection.execute(
    `insert into notifications (id, workspace_id, occurrence_id, type, category, title, body, title_en, body_en, data,
       actor_type, entity_id, entity_type, channels, receiver_count, created_at)
     values (?, ?, ?, 'page', 'created', ?, ?, ?, ?, ?, 'system', ?, 'page', 4, ?, now(3))`,
    [
      ...[id, happening.workspaceId, id, title, happening.title, titleInEnglish, happening.title],
      ...[JSON.stringify(happening), happening.id, memberIds.length],
    ],
  )
  const rows = memberIds.map(memberId => [memberId, id, 'page', 4])
  await connection.query('insert into receivers (member_id, notification_id, type, channels) values ?', [rows])
  return id
}

type BullMq = {
  Queue: new (name: string, options: object) => { add(name: string, data: object): Promise<unknown> }
  Worker: new (name: string, work: (job: { data: Happening }) => Promise<void>, options: object) => object
}

async function overBullMq(): Promise<(happening: Happening) => Promise<unknown>> {
  const { Queue, Worker } = require('bullmq') as BullMq
  const connection = { host: '127.0.0.1', port: Number(BROKER_PORT), maxRetriesPerRequest: null }
  const queue = new Queue(queueName, { connection, defaultJobOptions: { attempts: 4, removeOnComplete: true } })
  const worker = new Worker(queueName, job => store(job.data), { connection, concurrency })
  void worker
  return happening => queue.add('page.created', happening)
}

type Message = { content: Buffer }
type Channel = {
  assertQueue(name: string, options: object): Promise<unknown>
  prefetch(count: number): Promise<unknown>
  consume(name: string, take: (message: Message) => void): Promise<unknown>
  ack(message: Message): void
  nack(message: Message): void
  sendToQueue(name: string, content: Buffer, options: object, told: (error: Error | null) => void): void
}
type Amqp = {
  connect(url: string): Promise<{ createChannel(): Promise<Channel>; createConfirmChannel(): Promise<Channel> }>
}

async function overAmqp(): Promise<(happening: Happening) => Promise<unknown>> {
  const connection = await (require('amqplib') as Amqp).connect(`amqp://guest:guest@127.0.0.1:${BROKER_PORT}`)
  const [incoming, outgoing] = [await connection.createChannel(), await connection.createConfirmChannel()]
  await incoming.assertQueue(queueName, { durable: true })
  await incoming.prefetch(concurrency)
  await incoming.consume(queueName, message => {
    store(JSON.parse(message.content.toString())).then(
      () => incoming.ack(message),
      () => incoming.nack(message),
    )
  })
  return happening =>
    new Promise<void>((resolve, reject) => {
      const told = (error: Error | null) => (error ? reject(error) : resolve())
      outgoing.sendToQueue(queueName, Buffer.from(JSON.stringify(happening)), { persistent: true }, told)
    })
}

const publish = await (PEER === 'bullmq' ? overBullMq() : overAmqp())
process.on('message', ({ publish: count, inFlight }: Order) => {
  let left = count
  const go = async () => {
    while (left-- > 0) await publish({ workspaceId: WORKSPACE, id: newId(), title: 'Weekly news' })
  }
  void Promise.all(Array.from({ length: inFlight }, go)).then(() => process.send?.({ published: count }))
})
process.once('disconnect', () => process.exit(0))
process.send?.({ url: sockets.url })
