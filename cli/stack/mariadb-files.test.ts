import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newFolder, removeFolders } from '../fixtures/helpers.ts'
import { createDatabaseFolder } from './mariadb-files.ts'
import { findPrograms } from './packages.ts'

const test = suite('the data folder of MariaDB')
test.after(removeFolders)

test('its creation leaves alone the temporary tables of other servers', async () => {
  const sharedFolder = newFolder()
  const foreignFile = join(sharedFolder, '#sql-temptable-1-1-1.MAD')
  writeFileSync(foreignFile, '')
  const former = process.env['TMPDIR']
  const { mariadbd } = await findPrograms(['mariadbd'], () => undefined)
  if (!mariadbd) throw new Error('there is no mariadbd')
  const home = newFolder()
  process.env['TMPDIR'] = sharedFolder
  try {
    await createDatabaseFolder(mariadbd, join(home, 'data'))
  } finally {
    if (former === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = former
  }
  assert.ok(existsSync(join(home, 'data', 'mysql')))
  assert.ok(existsSync(foreignFile))
})

test.run()
