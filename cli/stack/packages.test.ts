import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { adviceFor } from './packages.ts'

const test = suite('packages')

test('a user who may not install the servers gets the exact command, compose and own servers as alternatives', () => {
  const message = adviceFor(['mariadbd', 'nats-server'])
  assert.match(message, 'MariaDB (mariadbd) and NATS (nats-server) are not installed.')
  const install = 'sudo apt-get update && sudo apt-get install --no-install-recommends'
  const packages = "'^mariadb-server-core(-[0-9.]+)?$' '^nats-server(-[0-9.]+)?$'"
  for (const text of [`${install} ${packages}`, 'docker compose up', 'DATABASE_URL=']) assert.match(message, text)
})

test.run()
