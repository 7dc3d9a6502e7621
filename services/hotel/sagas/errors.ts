import { z } from 'zod'
import {
  ConflictError,
  ExternalServiceError,
  ForbiddenError,
  InternalServerError,
  NotFoundError,
  type RpcError,
  ServiceUnavailableError,
  toRpcError,
  ValidationError,
} from '../../kernel/base/errors.ts'

const classes = {
  ConflictError,
  ExternalServiceError,
  ForbiddenError,
  NotFoundError,
  ServiceUnavailableError,
} as const

/** An error as a run stores it: what clients may see, without its cause. */
export function storedError(error: unknown): string {
  const platformError = toRpcError(error)
  return JSON.stringify({
    class: platformError.info.class,
    message: platformError.rawMessage,
    violations: platformError.info.violations,
  })
}

const errorSchema = z.object({
  class: z.string(),
  message: z.string(),
  violations: z.array(z.object({ path: z.string(), message: z.string(), rule: z.string() })).default([]),
})

/** Restores a stored error, to answer repeated calls. A text in another form is an InternalServerError. */
export function recalledError(text: string): RpcError {
  const errorRecord = errorSchema.safeParse(parseJsonText(text)).data
  if (!errorRecord) return new InternalServerError()
  if (errorRecord.class === 'ValidationError') return new ValidationError(errorRecord.violations)
  if (Object.hasOwn(classes, errorRecord.class))
    return new classes[errorRecord.class as keyof typeof classes](errorRecord.message)
  return new InternalServerError()
}

/** The value of a JSON text; undefined when it isn't one. */
function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A one-line message for operators. */
export const errorText = (error: unknown): string => toRpcError(error).rawMessage.slice(0, 500)

/** The message of a stored error. */
export const messageOf = (text: string): string => recalledError(text).rawMessage
