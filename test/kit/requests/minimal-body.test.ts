import { createValidator } from '@bufbuild/protovalidate'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { requestMessage } from '../../../edge/rest/request.ts'
import { endpoints, planRequest, takesJson } from './requests.ts'

const test = suite('generated calls')
const all = await endpoints()

test('the minimal call of every route satisfies the constraints of its request', () => {
  const validator = createValidator()
  const failures = all
    .filter(one => takesJson(one) || !one.route.hasBody)
    .flatMap(one => {
      const { path, body } = planRequest(one, () => undefined)
      const [plain = '', query = ''] = path.split('?')
      const values = plain
        .split('/')
        .slice(1)
        .filter((_, at) => typeof one.route.segments[at] !== 'string')
      try {
        const result = validator.validate(one.route.method.input, requestMessage(one.route, values, query, body))
        return result.kind === 'valid' ? [] : [`${one.title}: ${result.error?.message} ${JSON.stringify(body)}`]
      } catch (error) {
        return [`${one.title}: ${String(error)} ${path} ${JSON.stringify(body)}`]
      }
    })
  assert.ok(all.length > 200)
  assert.equal(failures, [])
})

test.run()
