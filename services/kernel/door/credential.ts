import type { DescMethod } from '@bufbuild/protobuf'
import { Caller } from '../../../gen/platform/options/v1/options_pb.ts'
import { accessOf } from '../access.option.ts'
import { bearerToken } from '../bearer.ts'
import type { VerifyCredential } from '../credentials.ts'
import { UnauthorizedError } from '../errors.ts'
import { oneOf } from '../secrets.ts'
import type { Tokens } from '../tokens.ts'

/** Reads a header of a request by its lower-case name. */
export type HeaderReader = (name: string) => string | undefined

/** Throws an UnauthorizedError for a call that cannot be let in, whatever its body says. */
export type CredentialCheck = (method: DescMethod, header: HeaderReader) => void | Promise<void>

type Keeper = { tokens: Tokens; serviceKeys: string[]; credentials: VerifyCredential }

/**
 * Judges the credentials of a call by its headers alone, so that a caller without one costs no reading of a body. Whether
 * an account still stands and what it may do is judged by the interceptors, which know more.
 */
export function credentialCheck({ tokens, serviceKeys, credentials }: Keeper): CredentialCheck {
  const isServiceKey = oneOf(serviceKeys)
  return (method, header) => {
    if (accessOf(method).callers.includes(Caller.PUBLIC)) return
    const bearer = header('authorization')
    const key = header('x-api-key')
    if (bearer === undefined && key === undefined) throw new UnauthorizedError()
    if (bearer !== undefined) {
      const token = bearerToken(bearer)
      if (!token || !tokens.verify(token)) throw new UnauthorizedError()
    }
    if (key === undefined) return
    const secret = header('x-api-secret')
    if (secret !== undefined)
      return credentials(key, secret).then(found => {
        if (!found) throw new UnauthorizedError()
      })
    if (!isServiceKey(key)) throw new UnauthorizedError()
  }
}
