import { isTooDeep, maxDepth } from '../json/decode.ts'
import { invalid } from '../errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses the JSON of a request; ValidationError when it is no JSON in UTF-8, or nests too deep.
 * @param what the field that faults are told of
 */
export function parseJson(bytes: Uint8Array | string, what = 'body'): unknown {
  let json: unknown
  try {
    json = JSON.parse(typeof bytes === 'string' ? bytes : utf8.decode(bytes))
  } catch {
    throw invalid(what, 'is not valid JSON', 'json')
  }
  if (isTooDeep(json)) throw invalid(what, `must not nest deeper than ${maxDepth} levels`, 'depth')
  return json
}
