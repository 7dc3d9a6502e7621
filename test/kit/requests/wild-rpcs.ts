import { type DescMethod, fromJson, getOption, type JsonObject, toBinary } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { access as accessOption } from '../../../gen/platform/options/v1/options_pb.ts'
import { isInternal } from '../../../services/kernel/rpc/door/body.ts'
import { loadFiles, rpcsOf } from '../../contract/descriptors.ts'
import type { ValueChoice } from './minimal-body.ts'
import type { Subject } from './records.ts'
import { headersOf } from './wild-requests.ts'
import { wildJson } from './wild-values.ts'

/** An RPC call from an attacker or a broken client, by its bytes. */
export type WildRpc = { method: DescMethod; headers: Record<string, string>; body: Buffer }

/** An RPC with its access option, in the form in which records are looked up. */
const subjectOf = (method: DescMethod): Subject => ({ route: { method }, access: getOption(method, accessOption) })

/** The RPCs that have a route, and those that only services call. */
export async function methods(): Promise<{ routed: DescMethod[]; internal: DescMethod[] }> {
  const rpcs = rpcsOf(await loadFiles())
  return { routed: rpcs.filter(method => !isInternal(method)), internal: rpcs.filter(isInternal) }
}

/** A random call of an RPC in any of Connect's forms: JSON, protobuf, or gRPC-Web. */
export function wildRpcs(
  choices: DescMethod[],
  choiceFor: (subject: Subject) => ValueChoice,
  credentials: Record<string, string>[],
): fc.Arbitrary<WildRpc> {
  return fc.constantFrom(...choices).chain(method =>
    fc
      .record({
        json: wildJson(method.input, choiceFor(subjectOf(method))),
        form: fc.constantFrom('application/json', 'application/proto', 'application/grpc-web+proto'),
        headers: headersOf(credentials),
        damage: fc.option(fc.record({ offset: fc.nat(400), byte: fc.nat(255) }), { freq: 8 }),
      })
      .map(({ json, form, headers, damage }) => {
        const plain = form === 'application/json' ? Buffer.from(JSON.stringify(json)) : binaryOf(method, json)
        const body = form.endsWith('web+proto') ? enveloped(plain) : plain
        if (damage && body.length > 0) body[damage.offset % body.length] = damage.byte
        return { method, headers: { ...headers, 'content-type': form }, body }
      }),
  )
}

/** The message in protobuf; what protobuf can't hold is sent as the bytes of its JSON. */
function binaryOf({ input }: DescMethod, json: Record<string, unknown>): Buffer {
  try {
    return Buffer.from(toBinary(input, fromJson(input, json as JsonObject)))
  } catch {
    return Buffer.from(JSON.stringify(json))
  }
}

function enveloped(data: Buffer): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32BE(data.length, 1)
  return Buffer.concat([head, data])
}
