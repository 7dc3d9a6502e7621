import type { CallOptions } from '@connectrpc/connect'
import { ExternalServiceError, toRpcError } from '../../kernel/base/errors.ts'
import { ProviderFailure } from '../../kernel/provider/failure.ts'
import { callHttp, type HttpAnswer, type HttpCall } from '../../kernel/provider/http.ts'
import type { Provider } from '../../kernel/provider/provider.ts'

const passedOnStatuses = new Set([400, 404, 409, 422])

type ServiceCallOptions = {
  /** Passes refusals of the caller's own input through unchanged. */
  passOn?: boolean
  /** Longest wait, in ms. */
  patienceMs?: number
}

/**
 * Calls another service of the platform. Its failure is an ExternalServiceError.
 * @param callee its name in error messages
 */
export type CallService = <T>(
  callee: string,
  call: (options: CallOptions) => Promise<T>,
  options?: ServiceCallOptions,
) => Promise<T>

/** @param defaultTimeoutMs longest wait: the other service may be retrying a provider */
export const serviceCaller =
  (defaultTimeoutMs: number): CallService =>
  async (callee, call, { passOn = false, patienceMs = defaultTimeoutMs } = {}) => {
    try {
      return await call({ timeoutMs: patienceMs })
    } catch (error) {
      const platformError = toRpcError(error)
      if (passOn && passedOnStatuses.has(platformError.info.status)) throw platformError
      throw new ExternalServiceError(`${callee} failed`, { cause: error })
    }
  }

/** One HTTP call to a provider. A transient failure is an ExternalServiceError. */
export async function fromProvider(callee: string, provider: Provider, call: HttpCall): Promise<HttpAnswer> {
  try {
    return await callHttp(provider, call)
  } catch (error) {
    if (error instanceof ProviderFailure) throw new ExternalServiceError(`${callee} failed`, { cause: error })
    throw error
  }
}
