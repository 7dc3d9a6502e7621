import { assert, suite } from '../../../test/kit/kit.ts'
import { maskOf } from '../channels.ts'
import { defaultSchedule } from '../digests/schedule.ts'
import { applyRules, isQuiet, type Preferences } from './preference-rules.ts'

const test = suite('receiver filter')
const now = new Date('2026-06-01T12:00:00Z')
const nobodyAsked: Preferences = {
  isGlobalSilent: false,
  doNotDisturb: false,
  dndUntil: null,
  quietHours: null,
  categoryPrefs: {},
  digest: defaultSchedule,
}
const noon = { enabled: true, start: '13:00', end: '15:00', timezone: 'Europe/Paris' }
const remainingChannels = (set: Partial<Preferences> | undefined, channels: string[], priority = 1) =>
  applyRules(set && { ...nobodyAsked, ...set }, { key: 'page.created', channels: maskOf(channels), priority }, now)
    ?.channels

test('a member without preferences is notified on every channel', () => {
  assert.is(remainingChannels(undefined, ['push', 'socket']), maskOf(['push', 'socket']))
  assert.is(remainingChannels({}, ['push', 'socket']), maskOf(['push', 'socket']))
})

test('global silence drops everything, and do-not-disturb until its end', () => {
  assert.is(remainingChannels({ isGlobalSilent: true }, ['app']), undefined)
  assert.is(remainingChannels({ doNotDisturb: true, dndUntil: new Date(+now + 1) }, ['app']), undefined)
  assert.is(remainingChannels({ doNotDisturb: true, dndUntil: now }, ['socket']), maskOf(['socket']))
  assert.is(remainingChannels({ doNotDisturb: true }, ['socket']), maskOf(['socket']))
})

test('quiet hours leave a mail that waits for a digest, and drop its push; urgent messages are dropped as ever', () => {
  const digest = { digest: { ...defaultSchedule, frequency: 'daily' }, quietHours: noon } as const
  assert.is(remainingChannels(digest, ['push', 'email', 'app']), maskOf(['email', 'app']))
  assert.is(remainingChannels(digest, ['push', 'app']), undefined)
  assert.is(remainingChannels(digest, ['push', 'email'], 3), undefined)
  const categoryPrefs = { 'page.created': { email: false } }
  assert.is(remainingChannels({ ...digest, categoryPrefs }, ['email', 'push']), undefined)
  assert.is(
    remainingChannels({ digest: { ...defaultSchedule, frequency: 'weekly' }, isGlobalSilent: true }, ['email']),
    undefined,
  )
})

test('quiet hours drop push and e-mail notifications and keep those for socket and app only', () => {
  assert.is(remainingChannels({ quietHours: noon }, ['push', 'socket']), undefined)
  assert.is(remainingChannels({ quietHours: noon }, ['email']), undefined)
  assert.is(remainingChannels({ quietHours: noon }, ['socket', 'app']), maskOf(['socket', 'app']))
  assert.is(remainingChannels({ quietHours: { ...noon, enabled: false } }, ['push']), maskOf(['push']))
})

test('push and mail of reminders, messages and what has a deadline wait until the silent hours end', () => {
  const undisturbed = { doNotDisturb: true, dndUntil: new Date('2026-06-01T12:30:00Z') }
  const end = '2026-06-01T13:00:00.000Z'
  const switches = (key: string, choice: object) => ({ quietHours: noon, categoryPrefs: { [key]: choice } })
  const [everything, silent] = [
    ['push', 'email', 'socket', 'app'],
    ['socket', 'app'],
  ]
  type Case = [
    key: string,
    wishes: Partial<Preferences>,
    channels: string[],
    left: string[] | undefined,
    until?: string,
  ]
  const cases: Case[] = [
    ['page.reminded', { quietHours: noon }, everything, everything, end],
    ['message.direct', { quietHours: noon }, everything, everything, end],
    ['page.created until', { quietHours: noon }, everything, everything, end],
    ['page.created', { quietHours: noon }, everything, undefined],
    ['page.reminded', undisturbed, everything, everything, '2026-06-01T12:30:00.000Z'],
    ['message.direct', { ...undisturbed, quietHours: noon }, everything, everything, end],
    ['page.created until', undisturbed, everything, everything, '2026-06-01T12:30:00.000Z'],
    ['page.created', undisturbed, silent, undefined],
    ['page.reminded', undisturbed, silent, silent],
    ['page.reminded', switches('page.reminded', { push: false, email: false }), everything, silent],
    ['page.reminded', switches('page.reminded', { push: false }), ['push'], undefined],
    ['message.direct', switches('message.direct', { email: false }), ['push', 'email'], ['push'], end],
    ['page.reminded', { ...undisturbed, isGlobalSilent: true }, everything, undefined],
    ['page.created until', {}, everything, everything],
  ]
  for (const [name, wishes, channels, keptChannels, until] of cases) {
    const [key = '', deadline] = name.split(' ')
    const message = { key, channels: maskOf(channels), priority: 1, hasDeadline: deadline !== undefined }
    const result = applyRules({ ...nobodyAsked, ...wishes }, message, now)
    const title = `${name} ${JSON.stringify(wishes)}`
    assert.is(result?.channels, keptChannels && maskOf(keptChannels), title)
    assert.is(result?.heldUntil?.toISOString(), until, title)
  }
})

test('an entry keeps members with at least one wanted channel and removes their unwanted ones', () => {
  const entry = (switches: object) => ({ categoryPrefs: { 'page.created': switches } })
  assert.is(remainingChannels(entry({ push: false }), ['push', 'socket']), maskOf(['socket']))
  assert.is(remainingChannels(entry({ push: false, app: true }), ['push']), undefined)
  assert.is(remainingChannels(entry({ email: true }), ['push']), maskOf(['push']))
  assert.is(remainingChannels({ categoryPrefs: { 'page.updated': { push: false } } }, ['push']), maskOf(['push']))
})

test('quiet hours follow local time, include their start, exclude their end and span midnight', () => {
  const parseTime = (time: string) => new Date(`2026-06-01T${time}:00Z`)
  const night = { enabled: true, start: '22:00', end: '07:00', timezone: 'Europe/Paris' }
  assert.equal(
    ['19:59', '20:00', '23:30', '04:59', '05:00', '12:00'].map(time => isQuiet(night, parseTime(time))),
    [false, true, true, true, false, false],
  )
  assert.not(isQuiet({ ...night, start: '07:00' }, parseTime('05:00')))
  assert.not(isQuiet({ ...night, timezone: 'Mars/Base' }, parseTime('23:30')))
})

test('local time follows both changes of daylight saving time', () => {
  const earlyHours = { enabled: true, start: '02:30', end: '03:30', timezone: 'Europe/Paris' }
  const quiet = (time: string) => isQuiet(earlyHours, new Date(time))
  // 29 March 2026: 02:00 becomes 03:00. 25 October 2026: 03:00 becomes 02:00, so 02:30 occurs twice.
  assert.equal(['2026-03-29T00:59Z', '2026-03-29T01:00Z', '2026-03-29T01:30Z'].map(quiet), [false, true, false])
  assert.equal(['2026-10-25T00:30Z', '2026-10-25T01:00Z', '2026-10-25T01:30Z', '2026-10-25T02:30Z'].map(quiet), [
    true,
    false,
    true,
    false,
  ])
})

test('quiet hours across midnight, in zones with half-hour offsets and with half-hour clock changes follow local time', () => {
  const quiet = (hours: { start: string; end: string; timezone: string }) => (time: string) =>
    isQuiet({ enabled: true, ...hours }, new Date(time))
  // Both changes in New York: eight hours by the clock last seven, then nine.
  const york = quiet({ start: '22:00', end: '06:00', timezone: 'America/New_York' })
  assert.equal(['2026-03-08T02:59Z', '2026-03-08T03:00Z', '2026-03-08T09:59Z', '2026-03-08T10:00Z'].map(york), [
    false,
    true,
    true,
    false,
  ])
  assert.equal(['2026-11-01T01:59Z', '2026-11-01T02:00Z', '2026-11-01T10:59Z', '2026-11-01T11:00Z'].map(york), [
    false,
    true,
    true,
    false,
  ])
  const kolkata = quiet({ start: '22:15', end: '06:45', timezone: 'Asia/Kolkata' })
  assert.equal(['2026-06-01T16:44Z', '2026-06-01T16:45Z', '2026-06-02T01:14Z', '2026-06-02T01:15Z'].map(kolkata), [
    false,
    true,
    true,
    false,
  ])
  // On Lord Howe 02:00 becomes 01:30 on 5 April 2026, and 02:00 becomes 02:30 on 4 October.
  const howe = quiet({ start: '01:30', end: '02:00', timezone: 'Australia/Lord_Howe' })
  assert.equal(
    [
      '2026-04-04T14:29Z',
      '2026-04-04T14:30Z',
      '2026-04-04T14:59Z',
      '2026-04-04T15:00Z',
      '2026-04-04T15:29Z',
      '2026-04-04T15:30Z',
    ].map(howe),
    [false, true, true, true, true, false],
  )
  const skipped = quiet({ start: '02:00', end: '02:30', timezone: 'Australia/Lord_Howe' })
  assert.equal(['2026-10-03T15:29Z', '2026-10-03T15:30Z', '2026-10-03T15:31Z'].map(skipped), [false, false, false])
})

test.run()
