import { Writable } from 'node:stream'
import { DeadLetterService } from '../../../gen/platform/notification/v1/dead_letters_pb.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { notificationsForTest } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { startConsumer } from '../../kernel/bus/consume.ts'
import { createLog } from '../../kernel/process/log.ts'
import { errorReports } from './error-reports.ts'

const test = suite('error reports')
const { host, db, end } = await notificationsForTest()
test.after(() => end())

const administrator = host.as(DeadLetterService, newId(), { kind: 'administrator' })

const report = (payload: object) =>
  host.bus.publish('platform.webhook.report-error', JSON.stringify({ type: 'webhook.report-error', payload }), {
    id: newId(),
  })

test('a report on the bus becomes a line of the log', async () => {
  const lines: Record<string, unknown>[] = []
  const to = new Writable({
    write(line, _encoding, callback) {
      lines.push(JSON.parse(String(line)))
      callback()
    },
  })
  const log = createLog('reports', 'info', to)
  const consumer = startConsumer({ bus: host.bus, db, log, durable: 'a_second_reader', ...errorReports(log) })
  const body = { id: newId(), service: 'legacy-authentication-service', error: 'InternalServerError' }
  await report({ ...body, message: 'Login failed', requestId: 'r-1' })
  const line = await eventually(() => lines.find(one => one['requestId'] === 'r-1'))
  assert.equal(
    [line['level'], line['msg'], line['service'], line['error']],
    [50, 'reported: Login failed', body.service, body.error],
  )
  await consumer.stop()
})

test('the service consumes them itself, and dead-letters an invalid report', async () => {
  await report({ service: 7 })
  const letters = await eventually(async () => {
    const answer = await administrator.listDeadLetters({ type: 'webhook.report-error' })
    const reportLetters = answer.data.filter(one => one.consumer === 'notification_queue_error_reports')
    return reportLetters.length > 0 ? reportLetters : undefined
  })
  assert.match(letters[0]?.reason ?? '', /^Not an error report: /)
})

test.run()
