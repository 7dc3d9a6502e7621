import { Code } from '@connectrpc/connect'
import { PlatformError } from '../../kernel/errors.ts'

/** Message codes of failures: status, class, code and meaning (document 1, "Legacy message codes"; decision 13). */
export const failures = {
  MSG_600: [400, 'ValidationError', Code.InvalidArgument, 'Email and password required'],
  MSG_601: [401, 'UnauthorizedError', Code.Unauthenticated, 'Invalid credentials'],
  MSG_602: [404, 'NotFoundError', Code.NotFound, 'Member not found'],
  MSG_603: [403, 'ForbiddenError', Code.PermissionDenied, 'No mobile access'],
  MSG_604: [403, 'ForbiddenError', Code.PermissionDenied, 'No web access'],
  MSG_606: [400, 'ValidationError', Code.InvalidArgument, 'Password reset failed'],
  MSG_621: [400, 'ValidationError', Code.InvalidArgument, 'Password update error'],
  MSG_622: [400, 'ValidationError', Code.InvalidArgument, 'Old password incorrect'],
  MSG_623: [404, 'NotFoundError', Code.NotFound, 'User does not exist'],
  MSG_624: [409, 'ConflictError', Code.AlreadyExists, 'Active session in progress'],
} as const

/** The error of a message code. */
export function failure(msg: keyof typeof failures): PlatformError {
  const [status, className, code, text] = failures[msg]
  return new PlatformError(className, status, code, text, { msg })
}

/** Codes of success. */
export const done = { none: 'NO_MSG', codeSent: 'MSG_605', passwordChanged: 'MSG_620' } as const
