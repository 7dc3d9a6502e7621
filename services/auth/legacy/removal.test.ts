import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { sources } from '../../../cli/sources.ts'
import { PasswordService } from '../../../gen/platform/auth/v1/passwords_pb.ts'
import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { UserService } from '../../../gen/platform/auth/v1/users_pb.ts'
import { SignInService as LegacySignIn } from '../../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { assert, refusal, startTestHost, suite } from '../../../test/kit/kit.ts'
import type { ServiceModule } from '../../kernel/rpc/host.ts'
import { service as member } from '../../member/service.ts'

/* Rehearses the removal of the legacy version: docs/guides/end-legacy.md. */
const test = suite('removal of the legacy version')
const root = fileURLToPath(new URL('../../../', import.meta.url))
const theLine = "import { startLegacy } from './legacy/legacy.ts'"
const theUse = 'const versions: RunningVersion[] = [startLegacy(parts)]'

const importing = (folder: RegExp, from: RegExp) =>
  sources()
    .filter(({ path }) => !folder.test(path) && !path.endsWith('.test.ts'))
    .flatMap(({ path, text }) => text.split('\n').map(line => ({ path, line })))
    .filter(({ line }) => /\bfrom '|\bimport\('/.test(line) && from.test(line))

test('one line of the service and one of the edge lead into the legacy folders', () => {
  const imports = importing(/^(services\/auth|edge)\/legacy\//, /\/legacy\//)
  assert.equal(
    imports.map(({ path, line }) => `${path}: ${line}`),
    ["edge/edge.ts: import { startLegacyNotices } from './legacy/legacy.ts'", `services/auth/service.ts: ${theLine}`],
  )
})

test('its contract is used only by its own folders, the documents of all services and the console', () => {
  const imports = importing(/^(services\/auth|edge|test\/kit\/auth)\/legacy\b|^gen\//, /platform\/legacyauth\//)
  assert.equal([...new Set(imports.map(({ path }) => path))].toSorted(), [
    'cli/generate/openapi/errors.ts',
    'edge/console/console.ts',
  ])
})

test('without folder and line the service starts, registers, signs in and resets, and refuses the removed routes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'without-legacy-'))
  try {
    for (const name of ['node_modules', 'gen', 'package.json']) symlinkSync(join(root, name), join(folder, name))
    cpSync(join(root, 'services/auth'), join(folder, 'services/auth'), {
      recursive: true,
      filter: path => !/\/legacy(\/|$)|\.test\.ts$/.test(path.slice(root.length)),
    })
    symlinkSync(join(root, 'services/kernel'), join(folder, 'services/kernel'))
    const file = join(folder, 'services/auth/service.ts')
    const text = readFileSync(file, 'utf8')
    assert.ok(text.includes(theLine) && text.includes(theUse))
    writeFileSync(file, text.replace(theLine, '').replace(theUse, 'const versions: RunningVersion[] = []'))
    const { service } = (await import(pathToFileURL(file).href)) as { service: ServiceModule }
    await modernStands(service)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

async function modernStands(service: ServiceModule): Promise<void> {
  const host = await startTestHost([service, member])
  try {
    const signIn = host.as(SignInService)
    const account = { email: 'ada@hotel.example', password: 'correct horse 7' }
    const { user } = await signIn.register(account)
    const { accessToken, refreshToken } = await signIn.login(account)
    await signIn.refreshToken({ refreshToken })
    const claims = host.tokens.verify(accessToken)
    const me = await host.as(UserService, user?.id ?? '', claims).getMe({})
    assert.is(me.user?.email, account.email)
    await host.as(PasswordService).forgotPassword({ email: account.email })
    const error = await refusal(host.as(LegacySignIn).login({ type: 'mobile', ...account }))
    assert.ok([404, 501].includes(error.info.status), `${error.info.status}`)
  } finally {
    await host.end()
  }
}

test.run()
