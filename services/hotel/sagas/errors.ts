import {
  ConflictError,
  ExternalServiceError,
  ForbiddenError,
  InternalServerError,
  NotFoundError,
  type PlatformError,
  ServiceUnavailableError,
  toPlatformError,
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
  const known = toPlatformError(error)
  return JSON.stringify({ class: known.info.class, message: known.rawMessage, violations: known.info.violations })
}

/** Restores a stored error, to answer repeated calls. */
export function recalledError(stored: string): PlatformError {
  const { class: name, message, violations } = JSON.parse(stored)
  if (name === 'ValidationError') return new ValidationError(violations)
  if (Object.hasOwn(classes, name)) return new classes[name as keyof typeof classes](message)
  return new InternalServerError()
}

/** A one-line message for operators. */
export const errorText = (error: unknown): string => toPlatformError(error).rawMessage.slice(0, 500)

/** The message of a stored error. */
export const messageOf = (stored: string): string => recalledError(stored).rawMessage
