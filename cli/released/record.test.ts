import { assert, suite } from '../../test/kit/kit.ts'
import { changedMigrations, migrationDigests } from './record.ts'

const test = suite('released migrations')
const path = 'services/auth/migrations/0001-baseline.ts'

test('a released migration that is changed or gone is named; a new one is not', () => {
  const present = migrationDigests()
  assert.equal(changedMigrations(), [])
  assert.equal(changedMigrations(present, { ...present, [`${path}.new`]: 'any' }), [])
  const remainingFiles = { ...present }
  delete remainingFiles[path]
  for (const after of [{ ...present, [path]: 'other' }, remainingFiles]) {
    const [line, ...otherLines] = changedMigrations(present, after)
    assert.match(line ?? '', new RegExp(`^${path} was released`))
    assert.equal(otherLines, [])
  }
})

test.run()
