import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { packWheel } from '../../cli/pack/wheel.ts'
import { root } from '../../cli/run.ts'
import { addressOf, password } from '../../cli/tour/world.ts'
import { startLossyRelayTo } from '../kit/edge.ts'
import { assert, suite } from '../kit/kit.ts'
import { type SharedPlatform, sharedPlatform } from '../kit/platform/shared.ts'
import { type House, houses } from '../kit/platform/shared-person.ts'

/* The wheel of `npm run pack`, installed in an environment that has nothing else. */
const folder = mkdtempSync(join(tmpdir(), 'python-'))
const python = join(folder, 'venv/bin/python')
const hasPython = spawnSync('python3', ['-m', 'venv', join(folder, 'venv')]).status === 0
if (!hasPython) console.error('NOT PROVEN: Python 3 with venv is missing, so its client is not run')
const suiteOfPython = suite('the Python client')
const test = hasPython ? suiteOfPython : suiteOfPython.skip
suiteOfPython.after(() => rmSync(folder, { recursive: true, force: true }))

let platform: SharedPlatform
let house: House
let email: string
suiteOfPython.before(async () => {
  if (!hasPython) return
  await run('-m', 'pip', 'install', '--no-index', '--disable-pip-version-check', packWheel(folder))
  platform = await sharedPlatform()
  const people = await houses(platform)
  house = await people.house('La Vigie', 'ada')
  email = addressOf(people.world, 'ada')
})

/** Runs Python in the folder. @returns its output */
async function run(...args: string[]): Promise<string> {
  const child = spawn(python, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  assert.is(child.exitCode, 0, `${output}${errors}`)
  return output.trim()
}

/** Runs a program with a client that is signed in. @returns the value of its variable `result` */
async function resultOf(program: string, addresses: object = platform.urls): Promise<unknown> {
  const head = `
import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from hospitality_platform import PlatformClient, PlatformError, Tokens
addresses = ${JSON.stringify(addresses)}
workspace = "${house.workspace}"
platform = PlatformClient(addresses=addresses)
platform.sign_in("${email}", "${password}")
def refusal(call, **fields):
    try:
        call(**fields)
    except PlatformError as error:
        return error
    raise AssertionError("it was not refused")
`
  return JSON.parse(await run('-W', 'error', '-c', `${head}${program}\nprint(json.dumps(result))`))
}

test('runs as its guide shows', async () => {
  const guide = readFileSync(join(root, 'docs/guides/clients.md'), 'utf8')
  const [calls = '', files = ''] = [...guide.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code = '']) => code)
  const program = calls
    .replace('"http://127.0.0.1"', `addresses=${JSON.stringify(platform.urls)}`)
    .replace('ada@demo.example', email)
    .replace('platform.sign_out()', `${files}print(stored["fileName"], content)\nplatform.sign_out()`)
  writeFileSync(join(folder, 'plan.pdf'), '%PDF-1.4')
  assert.equal((await run('-W', 'error', '-c', program)).split('\n'), [
    'The pool opens at ten draft NotFoundError',
    "plan.pdf b'%PDF-1.4'",
  ])
})

test('lists and changes records; null clears a field, and one that is not given stays', async () => {
  const result = await resultOf(`
page = platform.news.create_page(workspaceId=workspace, title="Open day", content={}, excerpt="Come")
titled = platform.news.update_page(page["id"], title="Closed day")
cleared = platform.news.update_page(page["id"], excerpt=None)
listed = platform.news.list_pages(workspaceId=workspace, status="draft", scheduled=False, search="Closed day")
log = platform.member.list_audit_entries(workspace, from_="2020-01-01T00:00:00Z", limit=1)
ids = [one["id"] == page["id"] for one in listed["data"]]
result = [titled["excerpt"], cleared["title"], cleared["excerpt"], ids, len(log["data"])]`)
  assert.equal(result, ['Come', 'Closed day', null, [true], 1])
})

test('a refusal names its class, its fields and its request id; an empty id is no call', async () => {
  const result = await resultOf(`
error = refusal(platform.news.create_page, workspaceId=workspace, title="", content={})
paths = [one["path"] for one in error.violations]
wrong = refusal(platform.sign_in, email="${email}", password="not this one")
try:
    platform.news.get_page("")
except ValueError as missing:
    result = [error.status, error.kind, paths, len(error.request_id) > 0, wrong.status, str(missing)]`)
  assert.equal(result, [400, 'ValidationError', ['title'], true, 401, 'id is missing'])
})

test('threads with an expired token share one refresh; a refused one ends the sign-in', async () => {
  const result = await resultOf(`
kept = []
everybody = Barrier(8)
class Refused(PlatformClient):
    def _refresh(self, refused):
        everybody.wait()
        return super()._refresh(refused)
pair = platform.auth.login(email="${email}", password="${password}")
expired = Refused(addresses=addresses, tokens=Tokens("no.longer.good", pair["refreshToken"]), on_tokens=kept.append)
exchanges = []
exchange = expired.auth.refresh_token
expired.auth.refresh_token = lambda **fields: exchanges.append(1) or exchange(**fields)
with ThreadPoolExecutor(8) as pool:
    emails = set(pool.map(lambda _: expired.auth.get_me()["email"], range(8)))
expired.sign_out()
ended = PlatformClient(addresses=addresses, tokens=Tokens("no.longer.good", "nor.is.this"), on_tokens=kept.append)
result = [list(emails), len(exchanges), refusal(ended.auth.get_me).status, [one is None for one in kept]]`)
  assert.equal(result, [[email], 1, 401, [false, true, true]])
})

test('a creation whose answer was lost is repeated under its key, and happens once', async () => {
  const relay = await startLossyRelayTo(platform.urls.news)
  try {
    const result = await resultOf(
      `
page = platform.news.create_page(workspaceId=workspace, title="Once only", content={})
direct = PlatformClient(addresses=${JSON.stringify(platform.urls)}, tokens=platform.tokens)
result = [one["id"] == page["id"] for one in direct.news.list_pages(workspaceId=workspace, search="Once only")["data"]]`,
      { ...platform.urls, news: relay.url },
    )
    assert.equal(result, [true])
    const keys = new Set(relay.requests.map(request => request.key))
    assert.equal([relay.requests.length, keys.size, typeof relay.requests[0]?.key], [3, 1, 'string'])
  } finally {
    relay.end()
  }
})

test('a call whose answer was lost is repeated only where that is safe', async () => {
  for (const [method, call, count] of [
    ['GET', 'list_pages(workspaceId=workspace)', 3],
    ['PATCH', 'update_page(page["id"], title="Hammam")', 1],
  ] as const) {
    const relay = await startLossyRelayTo(platform.urls.news)
    try {
      const result = await resultOf(`
page = platform.news.create_page(workspaceId=workspace, title="Sauna", content={})
lossy = PlatformClient(addresses={"news": "${relay.url}"}, tokens=platform.tokens)
try:
    lossy.news.${call}
    result = "answered"
except OSError:
    result = "lost"`)
      assert.equal(
        [result, relay.requests.map(one => one.method)],
        [count > 1 ? 'answered' : 'lost', Array(count).fill(method)],
      )
    } finally {
      relay.end()
    }
  }
})

test('every type of its modules exists, and the wheel records the digest of each file', async () => {
  const result = await resultOf(`
import base64, hashlib, importlib.metadata, sys, typing
from hospitality_platform.services import PORTS
modules = [sys.modules["hospitality_platform." + name] for name in PORTS]
declared = [one for module in modules for one in [*vars(module).values(), *vars(module.Operations).values()]]
for one in declared:
    if getattr(one, "__module__", "") in [module.__name__ for module in modules]:
        typing.get_type_hints(one)
files = [one for one in importlib.metadata.files("hospitality-platform") if one.hash and one.parts[0] == "hospitality_platform"]
def digest(file):
    return base64.urlsafe_b64encode(hashlib.sha256(file.read_binary()).digest()).rstrip(b"=").decode()
result = [len(declared) > 500, len(files), [str(one) for one in files if digest(one) != one.hash.value]]`)
  assert.equal(result, [true, 12, []])
})

suiteOfPython.run()
