import { type DescMessage, getOption, hasOption } from '@bufbuild/protobuf'
import fc from 'fast-check'
import { Direction, type Frame, frame as frameOption } from '../../../gen/platform/options/v1/options_pb.ts'
import { loadFiles, messagesOf } from '../../contract/descriptors.ts'
import type { ValueChoice } from './minimal-body.ts'

import { wildJson, wildValue } from './wild-values.ts'

/** A frame that clients send. */
export type ClientFrame = { desc: DescMessage; option: Frame }

export async function clientFrames(): Promise<ClientFrame[]> {
  return messagesOf(await loadFiles())
    .filter(desc => hasOption(desc, frameOption))
    .map(desc => ({ desc, option: getOption(desc, frameOption) }))
    .filter(({ option }) => option.direction === Direction.CLIENT)
}

/** A random client frame without its id: text, mostly JSON. */
export function wildFrames(frames: ClientFrame[], choose: ValueChoice): fc.Arbitrary<Record<string, unknown>> {
  return fc.constantFrom(...frames).chain(({ desc, option }) =>
    fc
      .record({
        data: fc.oneof({ weight: 6, arbitrary: wildJson(desc, choose) }, { weight: 1, arbitrary: wildValue }),
        event: fc.oneof({ weight: 12, arbitrary: fc.constant(option.event) }, { weight: 1, arbitrary: wildValue }),
        extras: fc.oneof(
          { weight: 8, arbitrary: fc.constant({}) },
          { weight: 1, arbitrary: fc.record({ offset: wildValue }) },
          { weight: 1, arbitrary: fc.dictionary(fc.string({ maxLength: 8 }), wildValue, { maxKeys: 2 }) },
        ),
      })
      .map(({ data, event, extras }) => {
        const field = desc.fields.find(({ name }) => name === option.dataField)
        const hasField = field && typeof data === 'object' && data !== null && !Array.isArray(data)
        return { ...extras, event, data: hasField ? (data as Record<string, unknown>)[field.jsonName] : data }
      }),
  )
}

/** Types of messages, some of which have no template. */
const types = [
  'page.created',
  'page.updated',
  'page.deleted',
  'comment.created',
  'comment.deleted',
  'like.created',
  'workspace.member_joined',
  'member.deleted',
  'member.onboarding',
  'chat.newMessage',
  'test.event123',
]

/** A random message on the bus around the documented envelope, and the subject that it is published on. */
export function wildEvents(ids: Record<'workspace' | 'ecosystem' | 'member' | 'page', string>[]) {
  const id = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...ids.flatMap(Object.values)) },
    { weight: 1, arbitrary: wildValue },
  )
  const envelope = fc.constantFrom(...ids).map(({ workspace, ecosystem, member, page }) => ({
    workspaceId: workspace,
    ecosystemId: ecosystem,
    payload: { id: page, title: 'A page', pageId: page, memberId: member },
    channels: ['socket', 'app'],
    metadata: {
      timestamp: new Date().toISOString(),
      actor: { id: member, name: 'A', type: 'member' },
      receiverIds: [member],
    },
  }))
  const changes = fc.dictionary(
    fc.constantFrom('type', 'workspaceId', 'payload', 'channels', 'metadata', 'priority', 'ecosystemId', 'unknown'),
    fc.oneof(wildValue, id),
    { maxKeys: 2 },
  )
  const inMetadata = fc.dictionary(
    fc.constantFrom('timestamp', 'actor', 'receiverIds', 'occurrenceId'),
    fc.oneof(wildValue, fc.array(id, { maxLength: 5 })),
    { maxKeys: 2 },
  )
  return fc
    .record({ type: fc.constantFrom(...types), subject: fc.constantFrom(...types), envelope, changes, inMetadata })
    .chain(({ type, subject, envelope: base, changes: changedFields, inMetadata: changedInside }) => {
      const metadata = { ...base.metadata, ...changedInside }
      const text = JSON.stringify({ type, ...base, metadata, ...changedFields })
      return fc
        .oneof(
          { weight: 10, arbitrary: fc.constant(text) },
          { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
          { weight: 1, arbitrary: fc.nat(text.length).map(end => text.slice(0, end)) },
        )
        .map(body => ({ subject: `platform.notification.${subject}`, body }))
    })
}
