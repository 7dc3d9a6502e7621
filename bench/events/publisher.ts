import { readFileSync } from 'node:fs'
import { PageCreatedSchema } from '../../gen/platform/events/v1/page_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectBus } from '../../services/kernel/bus/bus.ts'
import { emit, systemActor } from '../../services/kernel/bus/events.ts'
import { startRelay } from '../../services/kernel/bus/relay.ts'
import { inTransaction, openDatabase } from '../../services/kernel/database/database.ts'
import { silentLog } from '../../services/kernel/process/log.ts'

/*
 * Publishes as a service does: a transaction writes the event into the outbox of its own database, and the relay of
 * this process publishes it to the stream.
 */
type Order = { publish: number; inFlight: number }

const { DATABASE = '', BUS = '', STREAM = '', WORKSPACE = '', HOTEL = '', RECEIVERS = '' } = process.env
const receiverIds = JSON.parse(readFileSync(RECEIVERS, 'utf8')) as string[]
const db = openDatabase<object>(DATABASE, { poolSize: 10 })
const bus = await connectBus({ url: BUS, stream: STREAM, name: 'bench-publisher' })
startRelay(db, bus, { log: silentLog })

const publish = () =>
  inTransaction(db, trx =>
    emit(
      trx,
      PageCreatedSchema,
      { id: newId(), title: 'Weekly news', medias: [] },
      {
        workspaceId: WORKSPACE,
        ecosystemId: HOTEL,
        workspaceName: 'Bench',
        channels: ['socket'],
        actor: systemActor,
        receiverIds,
      },
    ),
  )

process.on('message', ({ publish: count, inFlight }: Order) => {
  let remainder = count
  const go = async () => {
    while (remainder-- > 0) await publish()
  }
  void Promise.all(Array.from({ length: inFlight }, go)).then(() => process.send?.({ published: count }))
})
process.once('disconnect', () => process.exit(0))
process.send?.({ ready: true })
