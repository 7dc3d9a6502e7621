import type { WebhookDeliveryRow } from '../tables.ts'

type FailureCode = NonNullable<WebhookDeliveryRow['error_code']>

/** Why an attempt failed: as a code, and in words for a reader of the list. */
export type WebhookFailure = { error: string; error_code: FailureCode }

export const timeoutMs = 15_000

const texts: Record<FailureCode, string> = {
  status: 'Answered',
  timeout: `No answer within ${timeoutMs / 1_000} s`,
  connection_failed: 'No connection:',
  name_unresolved: 'The name does not resolve',
  address_not_public: 'The address is not public',
  address_not_allowed: 'The address is not allowed',
  endpoint_disabled: 'The endpoint is disabled',
  hotel_closed: 'The hotel is closed',
  secret_unreadable: 'No current key decrypts the secret',
  process_ended: 'The process ended before the result was known',
}

/** @param detail the answered status, or the error of the connection */
export const failureOf = (code: FailureCode, detail?: string | number): WebhookFailure => ({
  error: detail === undefined ? texts[code] : `${texts[code]} ${detail}`,
  error_code: code,
})
