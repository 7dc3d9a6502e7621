import { getOption } from '@bufbuild/protobuf'
import { Code } from '@connectrpc/connect'
import { MessageCode, MessageCodeSchema, meaning } from '../../../gen/platform/legacyauth/v1/codes_pb.ts'
import { RpcError, type Violation } from '../../kernel/base/errors.ts'

type Success = 'MSG_605' | 'MSG_620'
/** Codes of refusals. */
export type FailureCode = Exclude<keyof typeof MessageCode, 'UNSPECIFIED' | Success>

/** Codes of success. */
export const successCodes = {
  none: 'NO_MSG',
  codeSent: 'MSG_605',
  passwordChanged: 'MSG_620',
} as const satisfies Record<string, Success | 'NO_MSG'>

const rpcCodes: Record<string, Code> = {
  ValidationError: Code.InvalidArgument,
  UnauthorizedError: Code.Unauthenticated,
  ForbiddenError: Code.PermissionDenied,
  NotFoundError: Code.NotFound,
  ConflictError: Code.AlreadyExists,
}

/**
 * The error of a message code with its documented status.
 * @param violations invalid fields, listed in the response
 */
export function failure(msg: FailureCode, violations: Violation[] = []): RpcError {
  const value = MessageCodeSchema.value[MessageCode[msg]]
  if (!value) throw new Error(`${msg} is not declared`)
  const { status, error, text } = getOption(value, meaning)
  return new RpcError(error, status, rpcCodes[error] ?? Code.Unknown, text, { msg, violations })
}

/** A missing required field, as {path, message, rule} in the response's list. */
export const isRequired = (path: string): Violation => ({ path, message: 'is required', rule: 'required' })

/** A new password that equals the present one. */
export const isPresent = (path: string): Violation => ({
  path,
  message: 'is the current password',
  rule: 'password.new',
})
