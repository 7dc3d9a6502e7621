import { fromJson, type JsonValue } from '@bufbuild/protobuf'
import { WebhookReportErrorSchema } from '../../../gen/platform/events/v1/webhook_pb.ts'
import { type BusMessage, PermanentFailure } from '../../kernel/bus/consume.ts'
import type { Log } from '../../kernel/process/log.ts'

/** Error reports of other services, which go to the log and become no notification [D25]. */
export const errorReports = (log: Log) => ({
  subject: 'platform.webhook.report-error',
  async handle({ body }: BusMessage): Promise<void> {
    const { service, error, message, requestId } = read(body)
    log.error({ service, error, requestId }, `reported: ${message}`)
  },
})

function read(body: unknown) {
  try {
    const { payload } = body as { payload: JsonValue }
    return fromJson(WebhookReportErrorSchema, payload, { ignoreUnknownFields: true })
  } catch (error) {
    throw new PermanentFailure(`Not an error report: ${error instanceof Error ? error.message : String(error)}`)
  }
}
