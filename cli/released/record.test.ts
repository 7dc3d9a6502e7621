import { assert, suite } from '../../test/kit/kit.ts'
import { changedMigrations, migrationDigests } from './record.ts'

const test = suite('released migrations')
const path = 'services/auth/migrations/0001-baseline.ts'

test('a released migration that is changed or gone is named; a new one is not', () => {
  const present = migrationDigests()
  assert.equal(changedMigrations(), [])
  assert.equal(changedMigrations(present, { ...present, [`${path}.new`]: 'any' }), [])
  const gone = { ...present }
  delete gone[path]
  for (const after of [{ ...present, [path]: 'other' }, gone]) {
    const [line, ...others] = changedMigrations(present, after)
    assert.match(line ?? '', new RegExp(`^${path} was released`))
    assert.equal(others, [])
  }
})

test.run()
