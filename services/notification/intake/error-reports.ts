import { fromJson, type JsonValue } from '@bufbuild/protobuf'
import { WebhookReportErrorSchema } from '../../../gen/platform/events/v1/webhook_pb.ts'
import { type BusMessage, readBody } from '../../kernel/bus/consume.ts'
import type { Log } from '../../kernel/process/log.ts'

/** Error reports of other services, which go to the log and become no notification. */
export const errorReports = (log: Log) => ({
  subject: 'platform.webhook.report-error',
  async handle({ body }: BusMessage): Promise<void> {
    const { service, error, message, requestId } = read(body)
    log.error({ service, error, requestId }, `reported: ${message}`)
  },
})

const read = (body: unknown) =>
  readBody('an error report', () => {
    const { payload } = body as { payload: JsonValue }
    return fromJson(WebhookReportErrorSchema, payload, { ignoreUnknownFields: true })
  })
