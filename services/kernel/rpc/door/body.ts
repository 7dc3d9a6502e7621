import { type DescMethod, getOption } from '@bufbuild/protobuf'
import { http } from '../../../../gen/google/api/annotations_pb.ts'
import { rest } from '../../../../gen/platform/options/v1/options_pb.ts'
import { invalid } from '../../base/errors.ts'
import { isTooDeep, maxDepth } from '../../json/decode.ts'

/**
 * Whether unknown keys of a JSON body are ignored: its documented body isn't shown, or the route takes only its path.
 */
export function isOpenBody(method: DescMethod): boolean {
  const { value } = getOption(method, http).pattern
  const path = typeof value === 'string' ? value : ''
  const takesNothing = path !== '' && method.input.fields.every(({ name }) => path.includes(`{${name}}`))
  return getOption(method, rest).openBody || takesNothing
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses the JSON of a request. Throws a ValidationError when it isn't JSON in UTF-8 or nests too deep.
 * @param what the field named in errors
 */
export function parseJson(bytes: Uint8Array | string, what = 'body'): unknown {
  try {
    const text = typeof bytes === 'string' ? bytes : utf8.decode(bytes)
    if (!isTooDeep(text)) return JSON.parse(text)
  } catch {
    throw invalid(what, 'is not valid JSON', 'json')
  }
  throw invalid(what, `must not nest deeper than ${maxDepth} levels`, 'depth')
}
