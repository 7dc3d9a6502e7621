import { newId } from '../../../services/kernel/base/ids.ts'
import type { ExampleInput } from '../../kit/requests/example-input.ts'
import type { ExampleWorld } from '../../kit/requests/example-world.ts'
import { type Example, type exampleCalls, isJson, type SendOptions } from '../example-calls.ts'

type Calls = ReturnType<typeof exampleCalls>
type Answer = Awaited<ReturnType<Calls['send']>>

/** How to be refused with a status: by an example of an operation that fits. */
export type Refusal = {
  status: number
  fits(example: Example): boolean
  call(calls: Calls, example: Example): Promise<Answer>
}

const documents = (example: Example, status: number): boolean => String(status) in example.operation.responses

/** By a change of the example's request. */
const changedRequest = (
  status: number,
  fits: (example: Example) => boolean,
  options: SendOptions,
  { values, ...input }: ExampleInput = {},
): Refusal => ({
  status,
  fits: example => documents(example, status) && fits(example),
  async call(calls, example) {
    const { values: ownValues, ...otherInput } = await calls.inputFor(example)
    return calls.send(example, { ...otherInput, ...input, values: { ...ownValues, ...values } }, options)
  },
})

/** By the same request again, or once more than there may be records. */
const repeatedRequest = (status: number, ...ids: string[]): Refusal => ({
  status,
  fits: ({ id }) => ids.includes(id),
  async call(calls, example) {
    const input = await calls.inputFor(example)
    let answer = await calls.send(example, input)
    for (let count = 1; count < 12 && answer.status < 300; count++) answer = await calls.send(example, input)
    return answer
  },
})

const isUpload = ({ id }: Example): boolean => id === 'media.UploadMedia'
function formOf(name: string, value: string | Blob): FormData {
  const form = new FormData()
  form.set(name, value)
  return form
}
const hasRequiredFields = (example: Example): boolean => {
  const { $ref = '' } = example.operation.requestBody?.content?.['application/json']?.schema ?? {}
  return example.document.components['schemas']?.[String($ref).split('/').at(-1) ?? '']?.['required'] !== undefined
}
const namesRecord = ({ operation }: Example): boolean =>
  operation.parameters?.some(({ name, schema }) => name === 'id' && schema['pattern'] === '^[0-9a-f]{24}$') === true
const isRestricted = ({ id, operation: { 'x-callers': callers = [], ...facts } }: Example): boolean =>
  'x-permission' in facts ||
  callers.every(one => one === 'platform administrator' || one === 'service key') ||
  id === 'media.DeleteMedia'

/**
 * A refusal of each kind.
 * @param token of somebody who may only read
 */
export const refusals = (token: string, { me, sandboxUrl }: Pick<ExampleWorld, 'me' | 'sandboxUrl'>): Refusal[] => [
  changedRequest(400, hasRequiredFields, { body: '{}' }),
  changedRequest(400, isJson, { body: '{' }),
  changedRequest(400, isUpload, { body: formOf('folder', 'general') }),
  changedRequest(403, isRestricted, {}, { token, key: '' }),
  changedRequest(404, namesRecord, {}, { values: { id: newId() } }),
  changedRequest(412, isJson, { headers: { 'if-match': '"0"' } }),
  changedRequest(413, isJson, { body: JSON.stringify({ text: 'x'.repeat(2_000_000) }) }),
  changedRequest(413, isUpload, { body: formOf('file', new Blob(['x'.repeat(11_000_000)])) }),
  changedRequest(415, isJson, { headers: { 'content-type': 'text/plain' } }),
  changedRequest(415, isUpload, { body: 'x', headers: { 'content-type': 'text/plain' } }),
  changedRequest(416, () => true, { headers: { range: 'bytes=999999-' } }),
  repeatedRequest(
    409,
    'auth.SignUp',
    'hotel.CreateType',
    'member.CreatePermission',
    'news.PublishPage',
    'notification.CreateWebhook',
  ),
  {
    status: 409,
    fits: ({ id }) => id === 'legacyauth.ChangeMail',
    async call(calls, example) {
      const input = await calls.inputFor(example)
      return calls.send(example, { ...input, values: { ...input.values, newEmail: (await me()).email } })
    },
  },
  {
    status: 422,
    fits: example => documents(example, 201) && (isJson(example) || isUpload(example)),
    async call(calls, example) {
      const repeatKey = newId()
      await calls.send(example, await calls.inputFor(example), { repeatKey })
      const input = await calls.inputFor(example)
      const otherFile = isUpload(example) ? { body: formOf('file', new Blob(['other'])) } : {}
      return calls.send(
        example,
        { ...input, values: { ...input.values, title: 'Another' } },
        { repeatKey, ...otherFile },
      )
    },
  },
  {
    status: 502,
    fits: ({ id }) => id === 'hotel.GetWeather' || id === 'payment.CreateCustomer',
    async call(calls, example) {
      const control = (mode: string) =>
        fetch(`${sandboxUrl}/_control`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ provider: example.service === 'hotel' ? 'weather' : 'payment', mode, times: 100 }),
        })
      const input = await calls.inputFor(example)
      await control('500')
      const answer = await calls.send(example, { ...input, values: { ...input.values, city: 'Toulon' } })
      await control('ok')
      return answer
    },
  },
]

/** An operation that any caller may send often, to be refused by an overloaded or stopped service. */
export const isPlainRead = (example: Example): boolean =>
  example.verb === 'GET' && documents(example, 429) && !example.path.includes('{')
